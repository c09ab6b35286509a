! SPDX-License-Identifier: MIT
! Ranks send, meet in a collective, and look once, through mpi_f08 and mpif.h.
program one_look
  use mpi_f08
  implicit none
  integer, parameter :: rounds = 300, tag = 5
  integer :: r, p, i, n, next, before, missed = 0, wrong = 0, mine, got, total, place, places(1)
  logical :: found
  type(MPI_Request) :: sent, received(1)
  type(MPI_Message) :: message
  type(MPI_Status) :: statuses(1)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, r)
  call MPI_Comm_size(MPI_COMM_WORLD, p)
  next = mod(r + 1, p)
  before = mod(r + p - 1, p)
  do i = 1, rounds
    mine = r + i
    got = -1
    if (receives(i)) call MPI_Irecv(got, 1, MPI_INTEGER, before, tag, MPI_COMM_WORLD, received(1))
    call MPI_Isend(mine, 1, MPI_INTEGER, next, tag, MPI_COMM_WORLD, sent)
    call MPI_Allreduce(1, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (total /= p) wrong = wrong + 1
    found = .false.
    select case (mod(i, 9))
    case (0)
      call MPI_Iprobe(before, tag, MPI_COMM_WORLD, found, statuses(1))
      call MPI_Recv(got, 1, MPI_INTEGER, before, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    case (1)
      call MPI_Improbe(before, tag, MPI_COMM_WORLD, found, message, statuses(1))
      if (found) call MPI_Mrecv(got, 1, MPI_INTEGER, message, MPI_STATUS_IGNORE)
      if (.not. found) call MPI_Recv(got, 1, MPI_INTEGER, before, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    case (2)
      call MPI_Test(received(1), found, MPI_STATUS_IGNORE)
    case (3)
      call MPI_Testall(1, received, found, statuses)
    case (4)
      call MPI_Testany(1, received, place, found, statuses(1))
    case (5)
      call MPI_Testsome(1, received, n, places, statuses)
      found = n == 1
    case (6)
      call MPI_Request_get_status(received(1), found, statuses(1))
    case (7)
      call probe_of_mpifh()
    case (8)
      call test_of_mpifh(received(1)%MPI_VAL)
    end select
    if (.not. found) missed = missed + 1
    if (receives(i)) call MPI_Wait(received(1), MPI_STATUS_IGNORE)
    call MPI_Wait(sent, MPI_STATUS_IGNORE)
    if (got /= before + i) wrong = wrong + 1
  end do
  if (missed > 0 .or. wrong > 0) then
    print '(a,i0,a,i0,a,i0,a)', 'rank ', r, ': ', missed, ' missed, ', wrong, ' wrong'
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end if
  call MPI_Barrier(MPI_COMM_WORLD)
  if (r == 0) print '(a)', 'all found'
  call MPI_Finalize()

contains

  logical function receives(round)
    integer, intent(in) :: round
    receives = mod(round, 9) > 1 .and. mod(round, 9) /= 7
  end function

  subroutine probe_of_mpifh()
    external :: MPI_Iprobe
    integer :: status(MPI_STATUS_SIZE), error
    call MPI_Iprobe(before, tag, MPI_COMM_WORLD%MPI_VAL, found, status, error)
    call MPI_Recv(got, 1, MPI_INTEGER, before, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine

  subroutine test_of_mpifh(request)
    integer, intent(inout) :: request
    external :: MPI_Test
    integer :: status(MPI_STATUS_SIZE), error
    call MPI_Test(request, found, status, error)
  end subroutine
end program
