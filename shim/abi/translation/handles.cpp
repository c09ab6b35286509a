// SPDX-License-Identifier: MIT
#include "shim/abi/translation/handles.hpp"
#include "shim/abi/functions.hpp"

namespace mpigraft::abi {

static_assert(MPI_SUCCESS == success);

constinit const std::uintptr_t handle_bits = sizeof(MPI_Comm) == sizeof(int) ? UINT32_MAX : UINTPTR_MAX;

const void* const in_place = MPI_IN_PLACE;
constinit const int any_source = MPI_ANY_SOURCE, any_tag = MPI_ANY_TAG, undefined = MPI_UNDEFINED;

constinit const int err_intern = MPI_ERR_INTERN, err_no_mem = MPI_ERR_NO_MEM, err_other = MPI_ERR_OTHER,
                    err_truncate = MPI_ERR_TRUNCATE;

void set_handles() {
  comm_self = widen<Comm>(MPI_COMM_SELF), comm_world = widen<Comm>(MPI_COMM_WORLD);
  tag_ub = widen<Keyval>(MPI_TAG_UB);
  type_byte = widen<Type>(MPI_BYTE), type_int = widen<Type>(MPI_INT);
  type_int64 = widen<Type>(MPI_INT64_T), type_double = widen<Type>(MPI_DOUBLE);
  op_max = widen<Op>(MPI_MAX), op_min = widen<Op>(MPI_MIN), op_sum = widen<Op>(MPI_SUM);
}

bool is_of_arguments(int error) {
  switch (error_class(error)) {
    case MPI_ERR_ARG:
    case MPI_ERR_BUFFER:
    case MPI_ERR_COMM:
    case MPI_ERR_COUNT:
    case MPI_ERR_OP:
    case MPI_ERR_ROOT:
    case MPI_ERR_TYPE:
      return true;
    default:
      return false;
  }
}

Comm comm_at(const void* place) { return widen<Comm>(*static_cast<const MPI_Comm*>(place)); }
Op op_at(const void* place) { return widen<Op>(*static_cast<const MPI_Op*>(place)); }
Type type_at(const void* place) { return widen<Type>(*static_cast<const MPI_Datatype*>(place)); }
Request request_at(const void* place, std::int64_t i) {
  return widen<Request>(static_cast<const MPI_Request*>(place)[i]);
}
void put_op(Op op, void* place) { *static_cast<MPI_Op*>(place) = narrow(op); }
void put_request(Request request, void* place) { *static_cast<MPI_Request*>(place) = narrow(request); }

bool is_communicator(Comm comm) { return is_object(narrow(comm), Kind::communicator); }
bool is_datatype(Type type) { return is_object(narrow(type), Kind::type); }
bool is_operator(Op op) { return is_object(narrow(op), Kind::op); }

}  // namespace mpigraft::abi
