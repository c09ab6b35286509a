! SPDX-License-Identifier: MIT
! Collectives through the mpi module, on doubles: sums of whole numbers are exact in any order.
program sums
  use mpi
  implicit none
  integer, parameter :: n = 500
  double precision :: mine(n), got(n), number(n)
  integer :: r, p, i, ierror, op, wrong = 0
  integer, allocatable :: counts(:), places(:)

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, r, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, p, ierror)
  number = [(dble(i), i=1, n)]
  mine = number * (r + 1)

  call MPI_Scan(mine, got, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  call expect(number * (r + 1) * (r + 2) / 2)

  got = mine
  call MPI_Exscan(MPI_IN_PLACE, got, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  if (r > 0) call expect(number * r * (r + 1) / 2)

  got = mine
  call MPI_Bcast(got, n, MPI_DOUBLE_PRECISION, p - 1, MPI_COMM_WORLD, ierror)
  call expect(number * p)

  call MPI_Reduce(mine, got, n, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (r == 0) call expect(number * p * (p + 1) / 2)

  got = mine
  call MPI_Allreduce(MPI_IN_PLACE, got, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  call expect(number * p * (p + 1) / 2)

  ! parts of no number but on the last rank
  allocate (counts(p), places(p))
  counts = 0
  counts(p) = n
  places = 0
  got = mine
  call MPI_Reduce_scatter(mine, got, counts, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  if (r == p - 1) call expect(number * p * (p + 1) / 2)
  if (r /= p - 1) call expect(mine)
  got = mine
  call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, counts, places, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, &
                      ierror)
  call expect(number * p)

  call MPI_Op_create(take_lower, .false., op, ierror)
  call MPI_Scan(mine, got, n, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD, ierror)
  call expect(number)
  call MPI_Op_free(op, ierror)

  if (r == 0) print *, 'use mpi:', wrong, ' wrong, last', got(n)
  call MPI_Finalize(ierror)
  if (wrong /= 0) stop 1

contains

  subroutine expect(wanted)
    double precision, intent(in) :: wanted(n)
    if (any(got /= wanted)) wrong = wrong + 1
  end subroutine

  ! Associative, and not commutative: everyone gets what rank 0 has.
  subroutine take_lower(lower, upper, length, datatype)
    integer :: length, datatype
    double precision :: lower(length), upper(length)
    upper = lower
  end subroutine
end program
