! SPDX-License-Identifier: MIT
! Collectives through mpif.h: MPI_IN_PLACE, MPI_BOTTOM and
! an operator of the program's own that does not commute.
      program sums
      implicit none
      include 'mpif.h'
      external compose
      integer r, p, ierror, wrong, pair, op, k
      integer mine(2), got(2), wanted(2), all(64)
      call MPI_Init(ierror)
      call MPI_Comm_rank(MPI_COMM_WORLD, r, ierror)
      call MPI_Comm_size(MPI_COMM_WORLD, p, ierror)
      wrong = 0

      got(1) = r
      call MPI_Scan(MPI_IN_PLACE, got, 1, MPI_INTEGER, MPI_SUM,
     &              MPI_COMM_WORLD, ierror)
      if (got(1) .ne. r * (r + 1) / 2) wrong = wrong + 1

      mine(1) = r
      got(1) = 0
      call MPI_Exscan(mine, got, 1, MPI_INTEGER, MPI_SUM,
     &                MPI_COMM_WORLD, ierror)
      if (got(1) .ne. r * (r - 1) / 2) wrong = wrong + 1

      call broadcast_absolute(p - 1, got(1))
      if (got(1) .ne. 41 + p) wrong = wrong + 1

      call MPI_Barrier(MPI_COMM_WORLD, ierror)
      got(1) = r
      call MPI_Allreduce(MPI_IN_PLACE, got, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, ierror)
      if (got(1) .ne. p * (p - 1) / 2) wrong = wrong + 1

      do k = 1, p
        all(k) = r + k
      end do
      call MPI_Reduce_scatter_block(MPI_IN_PLACE, all, 1, MPI_INTEGER,
     &                              MPI_SUM, MPI_COMM_WORLD, ierror)
      got(1) = all(1) - p * (p - 1) / 2
      if (got(1) .ne. p * (r + 1)) wrong = wrong + 1
      all(r + 1) = r
      call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1,
     &                   MPI_INTEGER, MPI_COMM_WORLD, ierror)
      do k = 1, p
        if (all(k) .ne. k - 1) wrong = wrong + 1
      end do

      call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierror)
      call MPI_Type_commit(pair, ierror)
      call MPI_Op_create(compose, .false., op, ierror)
      mine(1) = r + 2
      mine(2) = r + 1
      call MPI_Reduce(mine, got, 1, pair, op, 0,
     &                MPI_COMM_WORLD, ierror)
      wanted(1) = 2
      wanted(2) = 1
      do k = 1, p - 1
        mine(1) = k + 2
        mine(2) = k + 1
        call compose(wanted, mine, 1, pair)
        wanted(1) = mine(1)
        wanted(2) = mine(2)
      end do
      if (r .eq. 0 .and. got(1) .ne. wanted(1)) wrong = wrong + 1
      if (r .eq. 0 .and. got(2) .ne. wanted(2)) wrong = wrong + 1
      call MPI_Op_free(op, ierror)
      call MPI_Type_free(pair, ierror)

      if (r .eq. 0) print *, 'mpif.h:', wrong, ' wrong, last', got
      call MPI_Finalize(ierror)
      if (wrong .ne. 0) stop 1
      end

! The maps x -> first * x + second, modulo a prime.
      subroutine compose(lower, upper, n, type)
      implicit none
      integer n, type, i
      integer lower(2, n), upper(2, n)
      do i = 1, n
        upper(2, i) = mod(upper(1, i) * lower(2, i) + upper(2, i), 997)
        upper(1, i) = mod(upper(1, i) * lower(1, i), 997)
      end do
      end

! A broadcast whose datatype carries the address, from MPI_BOTTOM.
      subroutine broadcast_absolute(root, number)
      implicit none
      include 'mpif.h'
      integer root, number, r, type, ierror
      integer(kind=MPI_ADDRESS_KIND) place(1)
      integer lengths(1)
      common /absolute/ target
      integer target
      call MPI_Comm_rank(MPI_COMM_WORLD, r, ierror)
      target = 0
      if (r .eq. root) target = 42 + root
      lengths(1) = 1
      call MPI_Get_address(target, place(1), ierror)
      call MPI_Type_create_hindexed(1, lengths, place, MPI_INTEGER,
     &                              type, ierror)
      call MPI_Type_commit(type, ierror)
      call MPI_Bcast(MPI_BOTTOM, 1, type, root, MPI_COMM_WORLD, ierror)
      call MPI_Type_free(type, ierror)
      number = target
      end
