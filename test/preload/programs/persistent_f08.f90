! SPDX-License-Identifier: MIT
! Persistent collectives through mpi_f08, whose MPI_Start, MPI_Startall, MPI_Request_free and MPI_Op_free pass C's by.
program persistent
  use mpi_f08
  implicit none
  integer, asynchronous :: mine, total
  integer :: r, p, i, wrong = 0
  type(MPI_Request) :: requests(2), barrier, with_own
  type(MPI_Op) :: own

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, r)
  call MPI_Comm_size(MPI_COMM_WORLD, p)
  call MPI_Allreduce_init(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
  call MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, barrier)
  requests(2) = barrier
  do i = 1, 3
    mine = r + i
    call MPI_Start(requests(1))
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    if (total /= p * (p - 1) / 2 + p * i) wrong = wrong + 1
    mine = -r
    call MPI_Startall(2, requests)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    if (total /= -p * (p - 1) / 2) wrong = wrong + 1
  end do
  call MPI_Op_create(add, .true., own)
  call MPI_Allreduce_init(mine, total, 1, MPI_INTEGER, own, MPI_COMM_WORLD, MPI_INFO_NULL, with_own)
  call MPI_Op_free(own)
  if (own /= MPI_OP_NULL) wrong = wrong + 1
  call MPI_Start(with_own)
  call MPI_Wait(with_own, MPI_STATUS_IGNORE)
  if (total /= -p * (p - 1) / 2) wrong = wrong + 1
  call MPI_Request_free(with_own)
  call MPI_Request_free(requests(1))
  call MPI_Request_free(barrier)
  if (requests(1) /= MPI_REQUEST_NULL) wrong = wrong + 1
  if (r == 0) print *, 'persistent:', wrong, ' wrong'
  call MPI_Finalize()
  if (wrong /= 0) stop 1

contains

  subroutine add(lower, upper, n, type)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    type(c_ptr), value :: lower, upper
    integer :: n
    type(MPI_Datatype) :: type
    integer, pointer :: mine(:), sum(:)
    if (type /= MPI_INTEGER) error stop 'another type'
    call c_f_pointer(lower, mine, [n])
    call c_f_pointer(upper, sum, [n])
    sum = sum + mine
  end subroutine
end program
