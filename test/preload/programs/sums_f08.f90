! SPDX-License-Identifier: MIT
! The collectives through mpi_f08, whose MPI_Init and MPI_Finalize a preload does not see.
program sums
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int64_t), parameter :: prime = 10007
  integer(c_int64_t) :: mine(3), got(3), wanted(3)
  integer(c_int64_t), allocatable :: parts(:), all(:)
  integer, allocatable :: counts(:), places(:)
  integer :: r, p, k, wrong = 0
  type(MPI_Comm) :: reversed
  type(MPI_Op) :: op

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, r)
  call MPI_Comm_size(MPI_COMM_WORLD, p)
  mine = values(r)

  call MPI_Scan(mine, got, 3, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD)
  call expect(sums_of(0, r))

  call MPI_Comm_split(MPI_COMM_WORLD, 0, -r, reversed)
  do k = 1, 4  ! mpigraft leaves a communicator's first calls to MPI
    call MPI_Bcast(got, 0, MPI_INTEGER8, 0, reversed)
  end do
  call MPI_Exscan(mine, got, 3, MPI_INTEGER8, MPI_SUM, reversed)
  if (r < p - 1) call expect(sums_of(r + 1, p - 1))

  got = mine
  call MPI_Bcast(got, 3, MPI_INTEGER8, 0, reversed)
  call expect(values(p - 1))
  call MPI_Comm_free(reversed)

  got = mine
  if (r == p - 1) call MPI_Reduce(MPI_IN_PLACE, got, 3, MPI_INTEGER8, MPI_SUM, p - 1, MPI_COMM_WORLD)
  if (r /= p - 1) call MPI_Reduce(mine, got, 3, MPI_INTEGER8, MPI_SUM, p - 1, MPI_COMM_WORLD)
  if (r == p - 1) call expect(sums_of(0, p - 1))

  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Allreduce(mine, got, 3, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD)
  call expect(sums_of(0, p - 1))

  allocate (parts(3 * p), all(3 * p), counts(p), places(p))
  do k = 0, p - 1
    parts(3 * k + 1:3 * k + 3) = mine * (k + 1)
  end do
  call MPI_Reduce_scatter_block(parts, got, 3, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD)
  call expect(sums_of(0, p - 1) * (r + 1))
  counts = 3
  call MPI_Reduce_scatter(parts, got, counts, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD)
  call expect(sums_of(0, p - 1) * (r + 1))

  call MPI_Allgather(mine, 3, MPI_INTEGER8, all, 3, MPI_INTEGER8, MPI_COMM_WORLD)
  call expect_of_all()
  places = [(3 * (p - k), k=1, p)]  ! the last rank's part comes first
  call MPI_Allgatherv(mine, 3, MPI_INTEGER8, all, counts, places, MPI_INTEGER8, MPI_COMM_WORLD)
  do k = 0, p - 1
    got = all(places(k + 1) + 1:places(k + 1) + 3)
    call expect(values(k))
  end do

  call MPI_Op_create(join, .false., op)
  call MPI_Scan(mine, got, 3, MPI_INTEGER8, op, MPI_COMM_WORLD)
  wanted = values(0)
  do k = 1, r
    wanted = mod(wanted * values(k) + wanted + values(k), prime)
  end do
  call expect(wanted)
  call MPI_Op_free(op)

  if (r == 0) print *, 'mpi_f08:', wrong, ' wrong, last', got
  call MPI_Finalize()
  if (wrong /= 0) stop 1

contains

  pure function values(rank) result(x)
    integer, intent(in) :: rank
    integer(c_int64_t) :: x(3)
    x = [11, 13, 17] * (rank + 1_c_int64_t)
  end function

  function sums_of(first, last) result(x)
    integer, intent(in) :: first, last
    integer(c_int64_t) :: x(3)
    integer :: rank
    x = 0
    do rank = first, last
      x = x + values(rank)
    end do
  end function

  subroutine expect(right)
    integer(c_int64_t), intent(in) :: right(3)
    if (any(got /= right)) wrong = wrong + 1
  end subroutine

  subroutine expect_of_all()
    integer :: rank
    do rank = 0, p - 1
      got = all(3 * rank + 1:3 * rank + 3)
      call expect(values(rank))
    end do
  end subroutine

  ! a + b + a b modulo a prime: associative.
  subroutine join(lower, upper, length, datatype)
    type(c_ptr), value :: lower, upper
    integer :: length
    type(MPI_Datatype) :: datatype
    integer(c_int64_t), pointer :: a(:), b(:)
    call c_f_pointer(lower, a, [length])
    call c_f_pointer(upper, b, [length])
    b = mod(a * b + a + b, prime)
  end subroutine
end program
