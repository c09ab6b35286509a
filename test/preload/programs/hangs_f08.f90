! SPDX-License-Identifier: MIT
! Two ranks that hang in functions of mpi_f08 which call PMPI: rank 0 waits for two messages, rank 1 for a barrier, on a
! communicator that such a function has made.
program hangs
  use mpi_f08
  implicit none
  integer, asynchronous :: got(2)
  integer :: r
  type(MPI_Comm) :: comm
  type(MPI_Request) :: requests(2), barrier

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, r)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -r, comm)
  if (r == 0) then
    call MPI_Irecv(got(1), 1, MPI_INTEGER, 0, 7, comm, requests(1))
    call MPI_Irecv(got(2), 1, MPI_INTEGER, 1, 8, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  else
    call MPI_Ibarrier(comm, barrier)
    call MPI_Wait(barrier, MPI_STATUS_IGNORE)
  end if
  call MPI_Finalize()
end program
