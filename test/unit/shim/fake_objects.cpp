// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "shim/abi/binding.hpp"
#include "shim/abi/parameters.hpp"
#include "shim/abi/predefined.hpp"
#include "test/unit/shim/fake_world.hpp"

namespace mpigraft {

using namespace test;

namespace {

struct Known {
  bool alone = false, inter = false;
};

// Handles unlike any real ones, so that a constant of a real MPI in the shim shows.
constexpr auto world_handle = static_cast<abi::Comm>(0x7'0000'0001),
               self_handle = static_cast<abi::Comm>(0x7'0000'0002),
               inter_handle = static_cast<abi::Comm>(0x7'0000'0003);
constexpr std::uintptr_t first_type = 0x9'0000'0001, first_op = 0xb'0000'0001;

std::map<abi::Comm, Known>& comms() {
  static std::map<abi::Comm, Known> all{
      {world_handle, {}}, {self_handle, {.alone = true}}, {inter_handle, {.inter = true}}};
  return all;
}

abi::Comm add(Known known) {
  static std::uintptr_t next = abi::to_pass(inter_handle);
  const auto comm = static_cast<abi::Comm>(++next);
  comms()[comm] = known;
  return comm;
}

std::map<std::pair<abi::Comm, abi::Keyval>, void*> attributes;
std::map<abi::Keyval, const abi::AttributeFunctions*> keys;

void forget(abi::Comm comm, abi::Keyval key) {
  const auto found = attributes.find({comm, key});
  if (found == attributes.end()) return;
  void* const attribute = found->second;
  attributes.erase(found);
  keys.at(key)->at_delete(comm, attribute);
}

void forget_all(abi::Comm comm) {
  for (const auto& [key, at_delete] : std::map(keys)) forget(comm, key);
}

int stay_native() { return ++asked().natives, abi::success; }
template <class... Parameters>
void* native() {
  return reinterpret_cast<void*>(+[](Parameters...) { return stay_native(); });
}

}  // namespace

namespace abi {

namespace {
std::array<std::array<NativeForms, 2>, collective_count> fake_forms() {
  std::array<std::array<NativeForms, 2>, collective_count> all;
#define TYPE_OF_NARROW(name) Narrow::name
#define TYPE_OF_LARGE(name) Large::name
#define FORMS(name, signature, equal)                                                                                  \
  all[static_cast<std::size_t>(Collective::name)][equal] = {native<MPIGRAFT_PARAMETERS_##signature(TYPE_OF_NARROW)>(), \
                                                            native<MPIGRAFT_PARAMETERS_##signature(TYPE_OF_LARGE)>()};
#define X(name, function, lower, upper, signature, ...) FORMS(name, signature, false)
  MPIGRAFT_COLLECTIVES(X)
#undef X
#define X(name, function, lower, upper, signature) FORMS(name, signature, true)
  MPIGRAFT_EQUAL_PARTS(X)
#undef X
  return all;
}
}  // namespace

std::array<std::array<NativeForms, 2>, collective_count> native_forms = fake_forms();

std::atomic<bool> callers_differ{false};
Binding Function::bound(const void*, Kind) { return {}; }
Binding Function::next(const void*) { return {}; }
void* Function::elsewhere(const void*) { return nullptr; }
bool graftable(const void*) { return true; }
Reason reason_against(const void*) { return {}; }
bool is_in_grafted(const Object&) { return false; }
bool needs_self_check() { return false; }
LibraryVersion library_version() { return {"an MPI that is none"}; }

}  // namespace abi

namespace test {

const abi::Type type_triple = static_cast<abi::Type>(first_type + 4);
const abi::Op op_first = static_cast<abi::Op>(first_op + 2);
const abi::Comm comm_inter = inter_handle;

Asked& asked() {
  static Asked one;
  return one;
}

std::function<void()>& within_operator() {
  static std::function<void()> one;
  return one;
}

abi::Comm new_comm() { return add({}); }
void free_comm(abi::Comm comm) { forget_all(comm), comms().erase(comm); }
void finalize() { forget_all(abi::comm_self); }

}  // namespace test

namespace abi {

const std::uintptr_t handle_bits = ~std::uintptr_t{0};
const void* const in_place = reinterpret_cast<void*>(1);
const int any_source = -6, any_tag = -7, undefined = -8;
const int err_intern = 61, err_no_mem = 62, err_other = 63, err_truncate = 64;
Comm comm_self = self_handle, comm_world = world_handle;
Errhandler errors_are_fatal = static_cast<Errhandler>(0xd'0000'0002),
           errors_return = static_cast<Errhandler>(0xd'0000'0001);
Type type_byte = static_cast<Type>(first_type), type_int = static_cast<Type>(first_type + 1),
     type_int64 = static_cast<Type>(first_type + 2), type_double = static_cast<Type>(first_type + 3);
Keyval tag_ub = Keyval::null;
Op op_min = static_cast<Op>(first_op), op_sum = static_cast<Op>(first_op + 1), op_max = static_cast<Op>(first_op + 3);

bool is_of_arguments(int error) { return error > 0 && error < err_intern; }
Comm comm_at(const void* place) { return *static_cast<const Comm*>(place); }
Request request_at(const void* place, std::int64_t i) { return static_cast<const Request*>(place)[i]; }
void put_request(Request request, void* place) { *static_cast<Request*>(place) = request; }

bool is_communicator(Comm comm) { return comms().contains(comm); }
bool is_datatype(Type type) { return type_size(type) > 0; }
bool is_operator(Op op) { return to_pass(op) - first_op < 4; }

TypeFacts facts_of(Type type) {
  if (type == type_byte) return {.content = Content::bytes, .number = 1, .bytes = 1};
  if (type == type_int) return {.content = Content::signed_integer, .number = 2, .bytes = sizeof(int)};
  if (type == type_int64) return {.content = Content::signed_integer, .number = 3, .bytes = 8};
  if (type == type_double) return {.content = Content::floating, .number = 4, .bytes = sizeof(double)};
  return {};
}
bool is_builtin(Type type) { return facts_of(type).number != 0; }
Operator operator_of(Op op) {
  if (op == op_min) return Operator::min;
  return op == op_sum ? Operator::sum : Operator::of_program;
}
bool op_commutes(Op op) { return op != op_first; }

int comm_rank(Comm comm) { return comms().at(comm).alone ? 0 : own_rank(); }
int comm_size(Comm comm) { return comms().at(comm).alone ? 1 : world().size; }
bool comm_is_inter(Comm comm) { return comms().at(comm).inter; }
Group comm_group(Comm comm) { return static_cast<Group>(to_pass(comm)); }
Comm comm_get_parent() { return Comm::null; }
Comm comm_create(Comm comm, Group) { return add(comms().at(comm)); }
Comm comm_copy(Comm comm, const char*) { return add(comms().at(comm)); }
void comm_free(Comm& comm) { free_comm(comm), comm = Comm::null; }
Errhandler comm_get_errhandler(Comm) { return errors_return; }
void comm_set_errhandler(Comm, Errhandler) {}
void comm_call_errhandler(Comm, int error) { asked().raised = error; }
void errhandler_free(Errhandler& handler) { handler = Errhandler::null; }
void group_translate_ranks(Group, int n, const int* ranks, Group, int* there) { std::copy_n(ranks, n, there); }
void group_free(Group& group) { group = Group::null; }

Keyval comm_create_keyval(const AttributeFunctions& functions) {
  const auto key = static_cast<Keyval>(keys.size() + 1);
  keys[key] = &functions;
  return key;
}
void comm_free_keyval(Keyval& key) { keys.erase(key), key = Keyval::null; }
void comm_set_attr(Comm comm, Keyval key, void* attribute) {
  forget(comm, key);
  attributes[{comm, key}] = attribute;
}
Refused comm_get_attr(Comm comm, Keyval key, void*& attribute, bool& there) {
  const auto found = attributes.find({comm, key});
  there = found != attributes.end();
  if (there) attribute = found->second;
  return {};
}

std::int64_t type_size(Type type) { return type == type_triple ? 24 : facts_of(type).bytes; }
Extent type_extent(Type type) { return {0, type_size(type)}; }
Extent type_true_extent(Type type) { return {0, type_size(type)}; }
std::string type_name(Type) { return {}; }
std::vector<Type> type_parts(Type) { return {}; }
bool type_is_predefined(Type type) { return is_builtin(type); }
Type type_shifted(Type type, std::ptrdiff_t) { return type; }
Type type_piled(int, int) { return Type::null; }
Type type_held(Type type) { return type; }
Type type_repeated(int, Type type) { return type; }
Type type_at(const void* place) { return *static_cast<const Type*>(place); }
void type_free(Type& type) { type = Type::null; }
Op op_create(void (*)(void*, void*, int*, void*)) { return Op::null; }

int error_class(int code) { return code; }
bool is_up() { return true; }
bool has_one_caller() { return true; }

}  // namespace abi
}  // namespace mpigraft
