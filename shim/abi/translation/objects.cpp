// SPDX-License-Identifier: MIT
// Communicators, groups, datatypes, and the end of objects of all kinds.
#include "shim/abi/functions.hpp"
#include "shim/abi/translation/handles.hpp"
#include "shim/abi/translation/pmpi.hpp"

namespace mpigraft::abi {
namespace {

/// Frees an object by MPI's `function`, which sets the handle to null. Returns its error code.
template <class Handle>
int free_by(int (*function)(Native<Handle>*), Handle& handle) {
  Native<Handle> object = narrow(handle);
  const int error = function(&object);
  handle = widen<Handle>(object);
  return error;
}

/// The functions that MPI calls when it copies or deletes an attribute; `own` are the AttributeFunctions to call.
int copy_attribute(MPI_Comm, int, void* functions, void* attribute, void* copy, int* copied) {
  void* const made = static_cast<const AttributeFunctions*>(functions)->at_copy(attribute);
  *copied = made != nullptr;
  if (made) *static_cast<void**>(copy) = made;
  return MPI_SUCCESS;
}
int delete_attribute(MPI_Comm comm, int, void* attribute, void* functions) {
  static_cast<const AttributeFunctions*>(functions)->at_delete(widen<Comm>(comm), attribute);
  return MPI_SUCCESS;
}

int copy_nothing(MPI_Datatype, int, void*, void*, void*, int* copied) { return *copied = 0, MPI_SUCCESS; }
int count_freed(MPI_Datatype, int, void*, void*) {
  ++handles_freed;
  return MPI_SUCCESS;
}

/// That of the attribute of types whose end is counted.
int key_of_types() {
  static std::atomic<int> made{MPI_KEYVAL_INVALID};
  const auto make = [] {
    int key = MPI_KEYVAL_INVALID;
    pmpi.Type_create_keyval(copy_nothing, count_freed, &key, nullptr);
    return key;
  };
  return made_once(made, MPI_KEYVAL_INVALID, make, [](int& key) { pmpi.Type_free_keyval(&key); });
}

Type committed(MPI_Datatype type) {
  pmpi.Type_commit(&type);
  return widen<Type>(type);
}

Extent extent_by(int (*function)(MPI_Datatype, MPI_Aint*, MPI_Aint*), Type type) {
  MPI_Aint lower_bound = 0, length = 0;
  function(narrow(type), &lower_bound, &length);
  return {lower_bound, length};
}

struct Envelope {
  explicit Envelope(MPI_Datatype type) {
    if (pmpi.Type_get_envelope_c) {
      pmpi.Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
      return;
    }
    int n_integers = 0, n_addresses = 0, n_types = 0;
    pmpi.Type_get_envelope(type, &n_integers, &n_addresses, &n_types, &combiner);
    integers = n_integers, addresses = n_addresses, types = n_types;
  }
  MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;
  int combiner = MPI_COMBINER_NAMED;
};

MPI_Group group_of(MPI_Comm comm) { return result_of(pmpi.Comm_group, MPI_GROUP_NULL, comm); }

/// Does the work of MPI_Comm_create_from_group with functions of MPI-3, in MPI_Finalize if it is `at_end`. To have
/// errors returned, it replaces the communicator's error handler, which other threads of the program lack meanwhile.
MPI_Comm create_group(MPI_Comm comm, MPI_Group group, bool at_end) {
  constexpr int our_tag = 0x6d67;  // unlikely in the program's own calls
  MPI_Errhandler programs = result_of(pmpi.Comm_get_errhandler, MPI_ERRHANDLER_NULL, comm);
  pmpi.Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm made = MPI_COMM_NULL;
  if (at_end || translated == table::Interface::openmpi)  // its 4.1.4 hangs in the other one if ranks are reordered
    pmpi.Comm_create(comm, group, &made);
  else
    pmpi.Comm_create_group(comm, group, our_tag, &made);
  if (at_end && !true_on_all(made != MPI_COMM_NULL, widen<Comm>(comm)) && made != MPI_COMM_NULL) pmpi.Comm_free(&made);
  pmpi.Comm_set_errhandler(comm, programs);
  pmpi.Errhandler_free(&programs);
  if (made != MPI_COMM_NULL) pmpi.Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  return made;
}

}  // namespace

int comm_rank(Comm comm) { return result_of(pmpi.Comm_rank, 0, narrow(comm)); }
int comm_size(Comm comm) { return result_of(pmpi.Comm_size, 0, narrow(comm)); }
bool comm_is_inter(Comm comm) { return result_of(pmpi.Comm_test_inter, 0, narrow(comm)) != 0; }
bool was_spawned() { return result_of(pmpi.Comm_get_parent, MPI_COMM_NULL) != MPI_COMM_NULL; }

void comm_world_ranks(Comm comm, int n, const int* ranks, int* there) {
  MPI_Group mine = group_of(narrow(comm)), world = group_of(MPI_COMM_WORLD);
  pmpi.Group_translate_ranks(mine, n, ranks, world, there);
  pmpi.Group_free(&mine);
  pmpi.Group_free(&world);
}

/// In MPI_Finalize, MPI_Comm_create_from_group would wait for itself.
Comm comm_copy(Comm comm, const char* name) {
  MPI_Group group = group_of(narrow(comm));
  MPI_Comm made = MPI_COMM_NULL;
  if (name && pmpi.Comm_create_from_group && translated != table::Interface::openmpi)
    pmpi.Comm_create_from_group(group, name, MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
  else
    made = create_group(narrow(comm), group, !name);
  pmpi.Group_free(&group);
  return widen<Comm>(made);
}

void comm_free(Comm& comm) { free_by(pmpi.Comm_free, comm); }

Errors errors_of(Comm comm) {
  MPI_Errhandler handler = result_of(pmpi.Comm_get_errhandler, MPI_ERRHANDLER_NULL, narrow(comm));
  const Errors errors = handler == MPI_ERRORS_ARE_FATAL ? Errors::end_the_program
                        : handler == MPI_ERRORS_RETURN  ? Errors::are_returned
                                                        : Errors::are_handled;
  pmpi.Errhandler_free(&handler);
  return errors;
}

void comm_call_errhandler(Comm comm, int error) { pmpi.Comm_call_errhandler(narrow(comm), error); }

Keyval comm_create_keyval(const AttributeFunctions& functions) {
  int key = MPI_KEYVAL_INVALID;
  pmpi.Comm_create_keyval(copy_attribute, delete_attribute, &key, const_cast<AttributeFunctions*>(&functions));
  return widen<Keyval>(key);
}

void comm_free_keyval(Keyval& key) { free_by(pmpi.Comm_free_keyval, key); }
void comm_set_attr(Comm comm, Keyval key, void* attribute) { pmpi.Comm_set_attr(narrow(comm), narrow(key), attribute); }
void comm_delete_attr(Comm comm, Keyval key) { pmpi.Comm_delete_attr(narrow(comm), narrow(key)); }

Attribute comm_get_attr(Comm comm, Keyval key) {
  Attribute attribute;
  int there = -1;  // MPI leaves it alone if it refuses the handle
  const int error = pmpi.Comm_get_attr(narrow(comm), narrow(key), &attribute.value, &there);
  if (there < 0 || error != success) attribute.refused = error;
  attribute.found = there > 0;
  return attribute;
}

std::int64_t type_size(Type type) { return result_of(pmpi.Type_size_x, MPI_Count{0}, narrow(type)); }

Extent type_extent(Type type) { return extent_by(pmpi.Type_get_extent, type); }
Extent type_true_extent(Type type) { return extent_by(pmpi.Type_get_true_extent, type); }

std::string type_name(Type type) {
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  pmpi.Type_get_name(narrow(type), name, &length);
  return length > 0 ? name : "";
}

bool type_is_predefined(Type type) { return Envelope(narrow(type)).combiner == MPI_COMBINER_NAMED; }

std::vector<Type> type_parts(Type type) {
  const Envelope has(narrow(type));
  if (has.combiner == MPI_COMBINER_NAMED) return {};
  std::vector<int> integers(static_cast<std::size_t>(has.integers));
  std::vector<MPI_Aint> addresses(static_cast<std::size_t>(has.addresses));
  std::vector<MPI_Count> counts(static_cast<std::size_t>(has.counts));
  std::vector<MPI_Datatype> types(static_cast<std::size_t>(has.types));
  if (pmpi.Type_get_contents_c)
    pmpi.Type_get_contents_c(narrow(type), has.integers, has.addresses, has.counts, has.types, integers.data(),
                             addresses.data(), counts.data(), types.data());
  else
    pmpi.Type_get_contents(narrow(type), static_cast<int>(has.integers), static_cast<int>(has.addresses),
                           static_cast<int>(has.types), integers.data(), addresses.data(), types.data());
  std::vector<Type> parts;
  for (const MPI_Datatype part : types) parts.push_back(widen<Type>(part));
  return parts;
}

Type type_shifted(Type type, std::ptrdiff_t bytes) {
  const MPI_Aint by = bytes;
  MPI_Datatype shifted = MPI_DATATYPE_NULL;
  if (pmpi.Type_create_hindexed_block(1, 1, &by, narrow(type), &shifted) != MPI_SUCCESS) return Type::null;
  return committed(shifted);
}

Type type_repeats(Type type) {
  const Envelope has(narrow(type));
  if (has.combiner != MPI_COMBINER_CONTIGUOUS && has.combiner != MPI_COMBINER_DUP) return Type::null;
  int integer = 0;
  MPI_Aint address = 0;
  MPI_Count count = 0;
  MPI_Datatype part = MPI_DATATYPE_NULL;
  if (pmpi.Type_get_contents_c)
    pmpi.Type_get_contents_c(narrow(type), has.integers, 0, has.counts, 1, &integer, &address, &count, &part);
  else
    pmpi.Type_get_contents(narrow(type), static_cast<int>(has.integers), 0, 1, &integer, &address, &part);
  return widen<Type>(part);
}

bool counts_end_of(Type type) {
  const int key = key_of_types();
  void* attribute = nullptr;
  int found = 0;
  if (pmpi.Type_get_attr(narrow(type), key, &attribute, &found) != MPI_SUCCESS) return false;
  return found != 0 || pmpi.Type_set_attr(narrow(type), key, nullptr) == MPI_SUCCESS;
}

Type type_held(Type type) {
  const MPI_Aint at_once = 0;
  return widen<Type>(result_of(pmpi.Type_create_hindexed_block, MPI_DATATYPE_NULL, 1, 1, &at_once, narrow(type)));
}

Type type_repeated(int count, Type type) {
  return committed(result_of(pmpi.Type_contiguous, MPI_DATATYPE_NULL, count, narrow(type)));
}

Type type_piled(int layers, int bytes) {
  return committed(result_of(pmpi.Type_create_hvector, MPI_DATATYPE_NULL, layers, bytes, 0, MPI_BYTE));
}

void type_free(Type& type) { free_by(pmpi.Type_free, type); }
int request_free(Request& request) { return free_by(pmpi.Request_free, request); }

void op_free(Op op) {
  ++handles_freed;
  free_by(pmpi.Op_free, op);
}

}  // namespace mpigraft::abi
