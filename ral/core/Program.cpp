// An artifact opened in a context, with its constants.
#include "core/Program.h"
#include "core/Status.h"
#include "core/Tensor.h"

#include <algorithm>
#include <cstring>

using namespace ral;

ral_program::~ral_program() {
  derived.clear();
  for (ConstantValue &constant : constants)
    clearConstant(constant);
  context.drop();
}

ral_status ral_program::open(const char *file) {
  path = file;
  if (ral_status status = library.open(path))
    return status;
  main = reinterpret_cast<disc_main_fn>(library.symbol("disc_main"));
  auto *text = static_cast<const char *>(library.symbol("disc_signature"));
  if (!main || !text)
    return makeStatus(RAL_NOT_FOUND,
                      concat("`", path, "` is not an artifact: it exports no `",
                             main ? "disc_signature" : "disc_main", "`"),
                      "dlsym");
  if (ral_status status = signature.parse(text, path))
    return status;
  constants.resize(signature.args[RAL_CONSTANT].size());
  missingConstants = static_cast<int64_t>(constants.size());
  return nullptr;
}

void ral_program::clearConstant(ConstantValue &constant) {
  if (!constant.data)
    return;
  derived.clear();
  forgetRange(constant);
  constantBytes -= constant.bytes;
  if (constant.copy)
    context.pool->release(constant.copy);
  else
    constant.release(constant.user);
  context.constantBytes -= constant.bytes;
  ++missingConstants;
  constant = {};
}

/// Several constants may start at one address.
void ral_program::addRange(const ConstantValue &constant) {
  int64_t &bytes = ranges[static_cast<const char *>(constant.data)];
  bytes = std::max(bytes, constant.bytes);
}

void ral_program::forgetRange(const ConstantValue &constant) {
  ranges.erase(static_cast<const char *>(constant.data));
  for (const ConstantValue &other : constants)
    if (&other != &constant && other.data == constant.data)
      addRange(other);
}

static std::string dimsText(const int64_t *sizes, size_t rank) {
  std::string out = "[";
  for (size_t i = 0; i < rank; ++i)
    out += (i ? ", " : "") + (sizes[i] < 0 ? "?" : std::to_string(sizes[i]));
  return out + "]";
}

static ral_status checkConstant(int64_t index, const ArgSpec &spec,
                                const ral_tensor &value) {
  bool fits = value.rank == spec.rank() && value.dtype == spec.dtype;
  for (int32_t i = 0; fits && i < value.rank; ++i)
    fits = spec.sizes[i] == kDynamic ? value.sizes[i] >= 0
                                     : value.sizes[i] == spec.sizes[i];
  if (!fits)
    return makeStatus(
        RAL_INVALID_ARGUMENT,
        concat(describe(RAL_CONSTANT, index, spec), ": expected ",
               dimsText(spec.sizes.data(), spec.sizes.size()), " of ",
               ral_dtype_name(spec.dtype), ", got ",
               dimsText(value.sizes, size_t(value.rank)), " of ",
               ral_dtype_name(value.dtype)));
  return nullptr;
}

ral_status ral_program::setConstant(const char *name, const ral_tensor &value,
                                    void (*release)(void *), void *user) {
  const std::vector<ArgSpec> &specs = signature.args[RAL_CONSTANT];
  size_t index = 0;
  while (index < specs.size() && specs[index].name != name)
    ++index;
  if (index == specs.size())
    return makeStatus(RAL_NOT_FOUND,
                      concat("`", path, "` has no constant `", name, "`"));
  if (ral_status status = checkConstant(int64_t(index), specs[index], value))
    return status;
  ConstantValue constant;
  constant.bytes = byteCount(value.sizes, value.rank, value.dtype);
  if (constant.bytes < 0 || (!value.data && constant.bytes))
    return makeStatus(RAL_INVALID_ARGUMENT,
                      describe(RAL_CONSTANT, int64_t(index), specs[index]) +
                          ": data is null or too large");
  if (release && isContiguous(value) && value.data) {
    constant.data = value.data;
    constant.release = release;
    constant.user = user;
  } else {
    const char *error;
    constant.copy = context.pool->allocate(constant.bytes, &error);
    if (!constant.copy)
      return makeStatus(RAL_OUT_OF_MEMORY,
                        concat(describe(RAL_CONSTANT, int64_t(index),
                                        specs[index]),
                               ": cannot allocate ", constant.bytes,
                               " bytes: ", error));
    constant.data = constant.copy->data();
    if (isContiguous(value) && constant.bytes)
      std::memcpy(constant.data, value.data, size_t(constant.bytes));
    else
      pack(value, constant.data);
    if (release)
      release(user);
  }
  clearConstant(constants[index]);
  constants[index] = constant;
  if (constant.data)
    addRange(constant);
  constantBytes += constant.bytes;
  --missingConstants;
  context.constantBytes += constant.bytes;
  return nullptr;
}

bool ral_program::isConstant(const void *data, int64_t bytes) const {
  auto *begin = static_cast<const char *>(data);
  auto it = ranges.upper_bound(begin);
  if (it == ranges.begin())
    return false;
  --it;
  return begin + bytes <= it->first + it->second;
}

ral_status ral_program_open(ral_context *context, const char *path,
                            ral_program **out) {
  *out = nullptr;
  return guarded([&]() -> ral_status {
    auto program = std::make_unique<ral_program>(*context);
    if (ral_status status = program->open(path))
      return status;
    *out = program.release();
    return nullptr;
  });
}

void ral_program_close(ral_program *program) { delete program; }

ral_status ral_program_set_constant(ral_program *program, const char *name,
                                    const ral_tensor *value,
                                    void (*release)(void *), void *user) {
  return guarded(
      [&] { return program->setConstant(name, *value, release, user); });
}

int64_t ral_program_count(ral_program *program, int32_t kind) {
  if (kind < RAL_INPUT || kind > RAL_OUTPUT)
    return 0;
  return static_cast<int64_t>(program->signature.args[kind].size());
}

ral_status ral_program_arg(ral_program *program, int32_t kind, int64_t index,
                           ral_arg_info *out) {
  if (index < 0 || index >= ral_program_count(program, kind))
    return makeStatus(RAL_INVALID_ARGUMENT,
                      concat("no argument ", index, " of kind ", kind));
  const ArgSpec &spec = program->signature.args[kind][size_t(index)];
  ral_arg_info info{};
  info.size = std::min(out->size, sizeof(info));
  info.name = spec.name.c_str();
  info.dtype = spec.dtype;
  info.rank = spec.rank();
  info.sizes = spec.sizes.data();
  info.symbols = spec.symbolNames.data();
  std::memcpy(out, &info, info.size);
  return nullptr;
}
