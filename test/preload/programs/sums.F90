! SPDX-License-Identifier: MIT
! The collectives through mpif.h, the module mpi (-DUSE_MPI) or mpi_f08 (-DUSE_MPI_F08), whose MPI_Init and MPI_Finalize
! a preload does not see. Each has elements of another type: whole numbers, whose sums are exact in any order.
#if defined(USE_MPI_F08)
#define HANDLE(kind) type(kind)
#define NUMBER integer(c_int64_t)
#define NUMBER_TYPE MPI_INTEGER8
#elif defined(USE_MPI)
#define HANDLE(kind) integer
#define NUMBER double precision
#define NUMBER_TYPE MPI_DOUBLE_PRECISION
#else
#define HANDLE(kind) integer
#define NUMBER integer
#define NUMBER_TYPE MPI_INTEGER
#endif
program sums
#if defined(USE_MPI_F08)
  use mpi_f08
#elif defined(USE_MPI)
  use mpi
#endif
  use, intrinsic :: iso_c_binding
  implicit none
#if !defined(USE_MPI_F08) && !defined(USE_MPI)
  include 'mpif.h'
#endif
  NUMBER, parameter :: prime = 997
  integer :: rank, p, ierror, wrong = 0
  HANDLE(MPI_Comm) :: reversed
  NUMBER :: last
  NUMBER, target :: absolute

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, p, ierror)
  call on_vectors(MPI_COMM_WORLD, 2)
  call on_vectors(MPI_COMM_WORLD, 500)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, reversed, ierror)
  call on_vectors(reversed, 3)
  call on_parts(reversed, 3)
  call MPI_Comm_free(reversed, ierror)
  call on_parts(MPI_COMM_WORLD, 500)
  call with_operator_of_the_program(3)
  call from_bottom(p - 1)
  if (rank == 0) print *, wrong, ' wrong, last', last
  call MPI_Finalize(ierror)
  if (wrong /= 0) stop 1

contains

  subroutine on_vectors(comm, n)
    HANDLE(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: n
    NUMBER :: mine(n), got(n)
    integer :: r
    call MPI_Comm_rank(comm, r, ierror)
    mine = values(r, n)
    call MPI_Scan(mine, got, n, NUMBER_TYPE, MPI_SUM, comm, ierror)
    call expect(got, sums_to(r, n))
    got = mine
    call MPI_Scan(MPI_IN_PLACE, got, n, NUMBER_TYPE, MPI_SUM, comm, ierror)
    call expect(got, sums_to(r, n))
    call MPI_Exscan(mine, got, n, NUMBER_TYPE, MPI_SUM, comm, ierror)
    if (r > 0) call expect(got, sums_to(r - 1, n))
    got = mine
    call MPI_Exscan(MPI_IN_PLACE, got, n, NUMBER_TYPE, MPI_SUM, comm, ierror)
    if (r > 0) call expect(got, sums_to(r - 1, n))
    got = mine
    call MPI_Bcast(got, n, NUMBER_TYPE, p - 1, comm, ierror)
    call expect(got, values(p - 1, n))
    call MPI_Reduce(mine, got, n, NUMBER_TYPE, MPI_SUM, p - 1, comm, ierror)
    if (r == p - 1) call expect(got, sums_to(p - 1, n))
    got = mine
    if (r == 0) call MPI_Reduce(MPI_IN_PLACE, got, n, NUMBER_TYPE, MPI_SUM, 0, comm, ierror)
    if (r /= 0) call MPI_Reduce(mine, got, n, NUMBER_TYPE, MPI_SUM, 0, comm, ierror)
    if (r == 0) call expect(got, sums_to(p - 1, n))
    call MPI_Barrier(comm, ierror)
    call MPI_Allreduce(mine, got, n, NUMBER_TYPE, MPI_SUM, comm, ierror)
    call expect(got, sums_to(p - 1, n))
    got = mine
    call MPI_Allreduce(MPI_IN_PLACE, got, n, NUMBER_TYPE, MPI_SUM, comm, ierror)
    call expect(got, sums_to(p - 1, n))
  end subroutine

  ! Parts of `n` elements for each rank, and parts of none but the last rank's.
  subroutine on_parts(comm, n)
    HANDLE(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: n
    NUMBER :: mine(n), got(n), vector(n * p)
    integer :: r, k, equal(p), places(p), at_last(p)
    call MPI_Comm_rank(comm, r, ierror)
    mine = values(r, n)
    equal = n
    at_last = [(0, k=2, p), n]
    vector = [(mine * k, k=1, p)]
    call MPI_Reduce_scatter_block(vector, got, n, NUMBER_TYPE, MPI_SUM, comm, ierror)
    call expect(got, sums_to(p - 1, n) * (r + 1))
    call MPI_Reduce_scatter(vector, got, equal, NUMBER_TYPE, MPI_SUM, comm, ierror)
    call expect(got, sums_to(p - 1, n) * (r + 1))
    call MPI_Reduce_scatter_block(MPI_IN_PLACE, vector, n, NUMBER_TYPE, MPI_SUM, comm, ierror)
    call expect(vector(:n), sums_to(p - 1, n) * (r + 1))
    got = mine
    call MPI_Reduce_scatter(MPI_IN_PLACE, got, at_last, NUMBER_TYPE, MPI_SUM, comm, ierror)
    call expect(got, merge(sums_to(p - 1, n), mine, r == p - 1))

    call MPI_Allgather(mine, n, NUMBER_TYPE, vector, n, NUMBER_TYPE, comm, ierror)
    call expect(vector, [(values(k, n), k=0, p - 1)])
    vector = 0
    vector(n * r + 1:n * r + n) = mine
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, vector, n, NUMBER_TYPE, comm, ierror)
    call expect(vector, [(values(k, n), k=0, p - 1)])
    places = [(n * (p - k), k=1, p)]  ! the last rank's part comes first
    call MPI_Allgatherv(mine, n, NUMBER_TYPE, vector, equal, places, NUMBER_TYPE, comm, ierror)
    call expect(vector, [(values(p - k, n), k=1, p)])
    got = mine
    places = 0
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, at_last, places, NUMBER_TYPE, comm, ierror)
    call expect(got, values(p - 1, n))
  end subroutine

  ! It does not commute.
  subroutine with_operator_of_the_program(n)
    integer, intent(in) :: n
    NUMBER :: mine(2 * n), got(2 * n), prefix(2 * n), next(2 * n)
    HANDLE(MPI_Datatype) :: pair
    HANDLE(MPI_Op) :: op
    integer :: k
    call MPI_Type_contiguous(2, NUMBER_TYPE, pair, ierror)
    call MPI_Type_commit(pair, ierror)
    call MPI_Op_create(join, .false., op, ierror)
    mine = values(rank, 2 * n)
    call MPI_Scan(mine, got, n, pair, op, MPI_COMM_WORLD, ierror)
    do k = 0, p - 1
      next = values(k, 2 * n)
      if (k > 0) call compose(prefix, next, n)
      prefix = next
      if (k == rank) call expect(got, prefix)
    end do
    call MPI_Reduce(mine, got, n, pair, op, 0, MPI_COMM_WORLD, ierror)
    if (rank == 0) call expect(got, prefix)
    last = got(1)
    call MPI_Op_free(op, ierror)
    call MPI_Type_free(pair, ierror)
  end subroutine

  ! A broadcast whose datatype carries the address, from MPI_BOTTOM.
  subroutine from_bottom(root)
    integer, intent(in) :: root
    HANDLE(MPI_Datatype) :: type
    integer(MPI_ADDRESS_KIND) :: place(1)
    integer :: lengths(1)
    absolute = merge(42, 0, rank == root)
    lengths = 1
    call MPI_Get_address(absolute, place(1), ierror)
    call MPI_Type_create_hindexed(1, lengths, place, NUMBER_TYPE, type, ierror)
    call MPI_Type_commit(type, ierror)
    call MPI_Bcast(MPI_BOTTOM, 1, type, root, MPI_COMM_WORLD, ierror)
    call MPI_Type_free(type, ierror)
    if (absolute /= 42) wrong = wrong + 1
  end subroutine

  pure function values(r, n) result(x)
    integer, intent(in) :: r, n
    integer :: i
    NUMBER :: x(n)
    x = [(i * (r + 1), i=1, n)]
  end function

  ! Of ranks 0 to `r`.
  pure function sums_to(r, n) result(x)
    integer, intent(in) :: r, n
    NUMBER :: x(n)
    x = values(0, n) * (r + 1) * (r + 2) / 2
  end function

  subroutine expect(got, right)
    NUMBER, intent(in) :: got(:), right(:)
    if (any(got /= right)) wrong = wrong + 1
  end subroutine

#ifdef USE_MPI_F08
  subroutine join(lower, upper, length, datatype)
    type(c_ptr), value :: lower, upper
    integer :: length
    type(MPI_Datatype) :: datatype
    NUMBER, pointer :: a(:), b(:)
    call c_f_pointer(lower, a, [2 * length])
    call c_f_pointer(upper, b, [2 * length])
    call compose(a, b, length)
  end subroutine
#else
  subroutine join(lower, upper, length, datatype)
    integer :: length, datatype
    NUMBER :: lower(2 * length), upper(2 * length)
    call compose(lower, upper, length)
  end subroutine
#endif

  ! The maps x -> first * x + second, modulo a prime.
  subroutine compose(lower, upper, n)
    integer, intent(in) :: n
    NUMBER, intent(in) :: lower(2, n)
    NUMBER, intent(inout) :: upper(2, n)
    upper(2, :) = mod(upper(1, :) * lower(2, :) + upper(2, :), prime)
    upper(1, :) = mod(upper(1, :) * lower(1, :), prime)
  end subroutine
end program
