! SPDX-License-Identifier: MIT
! Waits through mpi_f08, which a preload does not see: its calls go on to PMPI inside of MPI. Prints every status.
program waits
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine usleep(microseconds) bind(c)
      import :: c_int
      integer(c_int), value :: microseconds
    end subroutine
  end interface
  integer, parameter :: rounds = 60, sizes(5) = [0, 1, 1000, 9000, 40000]
  integer :: r, p, to, from, i, n, code, got
  integer, allocatable :: mine(:), theirs(:, :), statuses_seen(:)
  logical :: flag
  type(MPI_Request) :: requests(4)
  type(MPI_Status) :: status, both(4)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, r)
  call MPI_Comm_size(MPI_COMM_WORLD, p)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  to = mod(r + 1, p)
  from = mod(r + p - 1, p)
  if (r == 0) call usleep(100000)  ! all others wait
  allocate (theirs(maxval(sizes) + 5, 2), statuses_seen(0))
  do i = 1, rounds
    n = sizes(1 + mod(i, size(sizes)))
    mine = [(r * 1000 + i + got, got=1, n)]
    theirs = -1
    select case (mod(i, 6))
    case (0)
      call MPI_Sendrecv(mine, n, MPI_INTEGER, to, i, theirs, n + 5, MPI_INTEGER, from, MPI_ANY_TAG, MPI_COMM_WORLD, status)
      call see(status, theirs(:, 1))
    case (1)
      call MPI_Irecv(theirs, n, MPI_INTEGER, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, requests(1))
      call MPI_Send(mine, n, MPI_INTEGER, MPI_PROC_NULL, i, MPI_COMM_WORLD)
      call MPI_Ssend(mine, 0, MPI_INTEGER, MPI_PROC_NULL, i, MPI_COMM_WORLD)
      call MPI_Isend(mine, n, MPI_INTEGER, to, i, MPI_COMM_WORLD, requests(2))
      call MPI_Wait(requests(1), status)
      call see(status, theirs(:, 1))
      call MPI_Wait(requests(2), MPI_STATUS_IGNORE)
    case (2)
      call start_two()
      call MPI_Waitall(4, requests, both)
      call see(both(1), theirs(:, 1))
      call see(both(2), theirs(:, 2))
    case (3)
      call start_two()
      do  ! the indices of MPICH 4.0 begin with 0 here, and 4.2 adds 1 to MPI_UNDEFINED, too
        call MPI_Waitany(4, requests, got, status)
        if (got < 0) exit
      end do
      call see(status, theirs(:, 1))
      call see(status, theirs(:, 2))
    case (4)
      call MPI_Isend(mine, n, MPI_INTEGER, to, i, MPI_COMM_WORLD, requests(1))
      call MPI_Probe(from, i, MPI_COMM_WORLD, status)
      call MPI_Get_count(status, MPI_INTEGER, got)
      call MPI_Recv(theirs, got, MPI_INTEGER, from, i, MPI_COMM_WORLD, status)
      call see(status, theirs(:, 1))
      call MPI_Waitall(1, requests, MPI_STATUSES_IGNORE)
    case (5)  ! too short, and never sent
      call MPI_Irecv(theirs, n / 2, MPI_INTEGER, from, i, MPI_COMM_WORLD, requests(1))
      call MPI_Irecv(theirs(1, 2), 1, MPI_INTEGER, from, 1000, MPI_COMM_WORLD, requests(2))
      call MPI_Isend(mine, n, MPI_INTEGER, to, i, MPI_COMM_WORLD, requests(3))
      call MPI_Cancel(requests(2))
      call MPI_Wait(requests(2), status)
      call MPI_Test_cancelled(status, flag)
      call MPI_Wait(requests(1), both(1), code)
      call MPI_Error_class(code, got)
      statuses_seen = [statuses_seen, merge(1, 0, flag), got, both(1)%MPI_SOURCE, both(1)%MPI_TAG]
      call MPI_Wait(requests(3), MPI_STATUS_IGNORE)
    end select
    if (mod(i, 10) == 0) call MPI_Barrier(MPI_COMM_WORLD)
  end do
  do i = 0, p - 1  ! in turn
    if (r == i .and. r > 0) call MPI_Send(statuses_seen, size(statuses_seen), MPI_INTEGER, 0, 0, MPI_COMM_WORLD)
    if (r == 0 .and. i > 0) call MPI_Recv(statuses_seen, size(statuses_seen), MPI_INTEGER, i, 0, MPI_COMM_WORLD, status)
    if (r == 0) print '(a, i3, *(i12))', 'rank', i, statuses_seen
  end do
  call MPI_Bcast(got, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)  ! without a collective that it sees mpigraft writes no report
  call MPI_Finalize()

contains

  subroutine start_two()
    call MPI_Irecv(theirs(1, 1), n, MPI_INTEGER, from, i, MPI_COMM_WORLD, requests(1))
    call MPI_Irecv(theirs(1, 2), n, MPI_INTEGER, from, MPI_ANY_TAG, MPI_COMM_WORLD, requests(2))
    call MPI_Isend(mine, n, MPI_INTEGER, to, i, MPI_COMM_WORLD, requests(3))
    call MPI_Isend(mine, n, MPI_INTEGER, to, i + 100, MPI_COMM_WORLD, requests(4))
  end subroutine

  ! What it says, and the sum of what came.
  subroutine see(status, data)
    type(MPI_Status), intent(in) :: status
    integer, intent(in) :: data(:)
    integer :: count
    logical :: cancelled
    call MPI_Get_count(status, MPI_INTEGER, count)
    call MPI_Test_cancelled(status, cancelled)
    statuses_seen = [statuses_seen, status%MPI_SOURCE, status%MPI_TAG, count, merge(1, 0, cancelled), sum(data)]
  end subroutine
end program
