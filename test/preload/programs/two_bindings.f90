! SPDX-License-Identifier: MIT
! A job with components in two languages: odd ranks call a collective through mpi_f08, even ranks through mpif.h, which
! calls MPI's C functions.
program two_bindings
  use mpi_f08, only: MPI_Comm, MPI_Request, MPI_COMM_WORLD, MPI_INTEGER, MPI_SUM, MPI_STATUS_IGNORE, MPI_Init, &
    MPI_Comm_rank, MPI_Comm_size, MPI_Comm_dup, MPI_Comm_free, MPI_Finalize, MPI_Wait
  implicit none
  type(MPI_Comm) :: twin
  integer :: rank, ranks, wrong = 0

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call synchronize(MPI_COMM_WORLD)
  call MPI_Comm_dup(MPI_COMM_WORLD, twin)
  call synchronize(twin)
  if (rank == 0 .and. wrong == 0) print '(a)', 'barriers in two languages: ok'
  call MPI_Comm_free(twin)
  call MPI_Finalize()
  if (wrong /= 0) error stop 1

contains

  subroutine synchronize(comm)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Request) :: request
    integer :: round
    do round = 1, 12
      if (modulo(rank, 2) == 0) then
        call barrier_of_mpifh(comm%MPI_VAL)
        call ibarrier_of_mpifh(comm%MPI_VAL, request%MPI_VAL)
        call allreduce_of_mpifh(comm%MPI_VAL)
      else
        call barrier_of_f08(comm)
        call ibarrier_of_f08(comm, request)
        call allreduce_of_f08(comm)
      end if
      call MPI_Wait(request, MPI_STATUS_IGNORE)
    end do
  end subroutine

  subroutine expect(total)
    integer, intent(in) :: total
    if (total /= ranks * (ranks - 1) / 2) wrong = wrong + 1
  end subroutine

  subroutine barrier_of_mpifh(comm)
    integer, intent(in) :: comm
    external :: MPI_Barrier
    integer :: error
    call MPI_Barrier(comm, error)
    if (error /= 0) wrong = wrong + 1
  end subroutine

  subroutine ibarrier_of_mpifh(comm, request)
    integer, intent(in) :: comm
    integer, intent(out) :: request
    external :: MPI_Ibarrier
    integer :: error
    call MPI_Ibarrier(comm, request, error)
    if (error /= 0) wrong = wrong + 1
  end subroutine

  subroutine allreduce_of_mpifh(comm)
    integer, intent(in) :: comm
    external :: MPI_Allreduce
    integer :: total, error
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER%MPI_VAL, MPI_SUM%MPI_VAL, comm, error)
    if (error /= 0) wrong = wrong + 1
    call expect(total)
  end subroutine

  subroutine barrier_of_f08(comm)
    use mpi_f08, only: MPI_Barrier
    type(MPI_Comm), intent(in) :: comm
    integer :: error
    error = -1
    call MPI_Barrier(comm, error)
    if (error /= 0) wrong = wrong + 1
  end subroutine

  subroutine ibarrier_of_f08(comm, request)
    use mpi_f08, only: MPI_Ibarrier
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Request), intent(out) :: request
    call MPI_Ibarrier(comm, request)
  end subroutine

  subroutine allreduce_of_f08(comm)
    use mpi_f08, only: MPI_Allreduce
    type(MPI_Comm), intent(in) :: comm
    integer :: total
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, comm)
    call expect(total)
  end subroutine
end program
