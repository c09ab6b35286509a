! SPDX-License-Identifier: MIT
! A job with components in two languages: odd ranks call collectives through mpi_f08, even ranks through mpif.h. Under
! MPICH that calls MPI's C functions, under Open MPI it does not. An operator of theirs is freed while a call needs it.
program two_bindings
  use mpi_f08, only: MPI_Comm, MPI_Request, MPI_COMM_WORLD, MPI_INTEGER, MPI_SUM, MPI_STATUSES_IGNORE, MPI_Init, &
    MPI_Comm_rank, MPI_Comm_size, MPI_Comm_dup, MPI_Comm_free, MPI_Finalize, MPI_Waitall, MPI_Op, MPI_OP_NULL
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
    type(MPI_Request) :: requests(2)
    integer, asynchronous :: total
    integer :: round
    do round = 1, 24
      if (modulo(rank, 2) == 0) then
        call barrier_of_mpifh(comm%MPI_VAL)
        call ibarrier_of_mpifh(comm%MPI_VAL, requests(1)%MPI_VAL)
        call iallreduce_of_mpifh(total, comm%MPI_VAL, requests(2)%MPI_VAL)
        call allreduce_of_mpifh(comm%MPI_VAL)
      else
        call barrier_of_f08(comm)
        call ibarrier_of_f08(comm, requests(1))
        call iallreduce_of_f08(total, comm, requests(2))
        call allreduce_of_f08(comm)
      end if
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
      call expect(total)
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

  subroutine iallreduce_of_mpifh(total, comm, request)
    use mpi, only: MPI_IN_PLACE
    integer, intent(out), asynchronous :: total
    integer, intent(in) :: comm
    integer, intent(out) :: request
    external :: MPI_Op_create, MPI_Iallreduce, MPI_Op_free, add
    integer :: op, error
    call MPI_Op_create(add, .true., op, error)
    total = rank
    call MPI_Iallreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER%MPI_VAL, op, comm, request, error)
    if (error /= 0) wrong = wrong + 1
    call MPI_Op_free(op, error)
    if (error /= 0 .or. op /= MPI_OP_NULL%MPI_VAL) wrong = wrong + 1
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

  subroutine iallreduce_of_f08(total, comm, request)
    use mpi_f08, only: MPI_Op_create, MPI_Iallreduce, MPI_Op_free, MPI_IN_PLACE
    integer, intent(out), asynchronous :: total
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Request), intent(out) :: request
    external :: add
    type(MPI_Op) :: op
    call MPI_Op_create(add, .true., op)
    total = rank
    call MPI_Iallreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, op, comm, request)
    call MPI_Op_free(op)
    if (op%MPI_VAL /= MPI_OP_NULL%MPI_VAL) wrong = wrong + 1
  end subroutine

  subroutine allreduce_of_f08(comm)
    use mpi_f08, only: MPI_Allreduce
    type(MPI_Comm), intent(in) :: comm
    integer :: total
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, comm)
    call expect(total)
  end subroutine
end program

subroutine add(lower, upper, count, type)
  implicit none
  integer, intent(in) :: count, type, lower(count)
  integer, intent(inout) :: upper(count)
  upper = upper + lower
  if (type < 0) upper = -1  ! not used
end subroutine
