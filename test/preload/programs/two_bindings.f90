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
    integer, asynchronous :: sum, later_sum
    integer :: round
    do round = 1, 24
      if (modulo(rank, 2) == 0) call calls_of_mpifh(comm%MPI_VAL, requests(1)%MPI_VAL, requests(2)%MPI_VAL, sum, later_sum)
      if (modulo(rank, 2) == 1) call calls_of_f08(comm, requests(1), requests(2), sum, later_sum)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
      if (sum /= ranks * (ranks - 1) / 2 .or. later_sum /= sum) wrong = wrong + 1
    end do
  end subroutine

  subroutine calls_of_mpifh(comm, barrier, reduction, sum, later_sum)
    use mpi, only: MPI_IN_PLACE
    integer, intent(in) :: comm
    integer, intent(out) :: barrier, reduction, sum
    integer, intent(out), asynchronous :: later_sum
    external :: MPI_Barrier, MPI_Ibarrier, MPI_Op_create, MPI_Iallreduce, MPI_Op_free, MPI_Allreduce, add
    integer :: op, errors(6)
    call MPI_Barrier(comm, errors(1))
    call MPI_Ibarrier(comm, barrier, errors(2))
    call MPI_Op_create(add, .true., op, errors(3))
    later_sum = rank
    call MPI_Iallreduce(MPI_IN_PLACE, later_sum, 1, MPI_INTEGER%MPI_VAL, op, comm, reduction, errors(4))
    call MPI_Op_free(op, errors(5))
    call MPI_Allreduce(rank, sum, 1, MPI_INTEGER%MPI_VAL, MPI_SUM%MPI_VAL, comm, errors(6))
    if (any(errors /= 0) .or. op /= MPI_OP_NULL%MPI_VAL) wrong = wrong + 1
  end subroutine

  subroutine calls_of_f08(comm, barrier, reduction, sum, later_sum)
    use mpi_f08, only: MPI_Barrier, MPI_Ibarrier, MPI_Op_create, MPI_Iallreduce, MPI_Op_free, MPI_Allreduce, MPI_IN_PLACE
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Request), intent(out) :: barrier, reduction
    integer, intent(out) :: sum
    integer, intent(out), asynchronous :: later_sum
    external :: add
    type(MPI_Op) :: op
    integer :: error
    error = -1
    call MPI_Barrier(comm, error)
    call MPI_Ibarrier(comm, barrier)
    call MPI_Op_create(add, .true., op)
    later_sum = rank
    call MPI_Iallreduce(MPI_IN_PLACE, later_sum, 1, MPI_INTEGER, op, comm, reduction)
    call MPI_Op_free(op)
    call MPI_Allreduce(rank, sum, 1, MPI_INTEGER, MPI_SUM, comm)
    if (error /= 0 .or. op%MPI_VAL /= MPI_OP_NULL%MPI_VAL) wrong = wrong + 1
  end subroutine
end program

subroutine add(lower, upper, count, type)
  implicit none
  integer, intent(in) :: count, type, lower(count)
  integer, intent(inout) :: upper(count)
  upper = upper + lower
  if (type < 0) upper = -1  ! not used
end subroutine
