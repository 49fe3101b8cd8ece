// Outputs as Python arrays.
#include "Arrays.h"

#include <nanobind/ndarray.h>

#include <memory>

using namespace disc_runtime;

namespace {
/// An output, and what DLPack wants to point at.
struct Owned {
  ral_output output;
  dlpack::ManagedTensorVersioned managed;
};
} // namespace

static dlpack::DataType dlpackType(int32_t dtype) {
  auto bits = uint8_t(ral_dtype_bytes(dtype) * 8);
  switch (dtype) {
  case RAL_I1:
    return {dlpack::kBool, bits, 1};
  case RAL_I2:
  case RAL_I4:
  case RAL_I8:
  case RAL_I16:
  case RAL_I32:
  case RAL_I64:
  case RAL_INDEX:
    return {dlpack::kInt, bits, 1};
  case RAL_F16:
  case RAL_F32:
  case RAL_F64:
    return {dlpack::kFloat, bits, 1};
  case RAL_BF16:
    return {dlpack::kBFloat, bits, 1};
  case RAL_C64:
  case RAL_C128:
    return {dlpack::kComplex, bits, 1};
  case RAL_F8E4M3FN:
    return {dlpack::kFloat8_E4M3FN, bits, 1};
  case RAL_F8E5M2:
    return {dlpack::kFloat8_E5M2, bits, 1};
  case RAL_F8E4M3FNUZ:
    return {dlpack::kFloat8_E4M3FNUZ, bits, 1};
  case RAL_F8E5M2FNUZ:
    return {dlpack::kFloat8_E5M2FNUZ, bits, 1};
  case RAL_F8E8M0FNU:
    return {dlpack::kFloat8_E8M0FNU, bits, 1};
  default:
    return {dlpack::kUInt, bits, 1};
  }
}

static nb::object makeTensor(std::unique_ptr<Owned> owned,
                             const dlpack::ExchangeApi &api) {
  const ral_tensor &tensor = owned->output.tensor;
  dlpack::ManagedTensorVersioned &managed = owned->managed;
  managed = {};
  managed.version = {1, 0};
  managed.context = owned.get();
  managed.deleter = [](dlpack::ManagedTensorVersioned *self) {
    auto *owner = static_cast<Owned *>(self->context);
    ral_output_release(&owner->output);
    delete owner;
  };
  managed.tensor = {tensor.data,
                    {dlpack::kCPU, 0},
                    tensor.rank,
                    dlpackType(tensor.dtype),
                    const_cast<int64_t *>(tensor.sizes),
                    const_cast<int64_t *>(tensor.strides),
                    0};
  void *result = nullptr;
  if (api.objectFromManaged(&owned.release()->managed, &result))
    throw nb::python_error();
  return nb::steal(static_cast<PyObject *>(result));
}

static nb::object makeNumpy(std::unique_ptr<Owned> owned) {
  const ral_tensor &tensor = owned->output.tensor;
  int32_t dtype = tensor.dtype;
  dlpack::DataType type = dlpackType(dtype);
  // Types that numpy lacks leave as integers of their size, which the hook views as ml_dtypes' types.
  bool isSmallInteger = dtype == RAL_I2 || dtype == RAL_I4 ||
                        dtype == RAL_U2 || dtype == RAL_U4;
  bool foreign = isSmallInteger || type.code == dlpack::kBFloat ||
                 dtype >= RAL_F8E4M3FN;
  if (foreign && !isSmallInteger)
    type.code = dlpack::kUInt;
  nb::dlpack::dtype nbType{type.code, type.bits, 1};
  size_t shape[32];
  for (int32_t i = 0; i < tensor.rank; ++i)
    shape[i] = size_t(tensor.sizes[i]);
  Owned *raw = owned.get();
  nb::capsule owner(owned.release(), [](void *data) noexcept {
    auto *self = static_cast<Owned *>(data);
    ral_output_release(&self->output);
    delete self;
  });
  nb::ndarray<nb::numpy> array(raw->output.tensor.data,
                               size_t(raw->output.tensor.rank), shape, owner,
                               nullptr, nbType);
  nb::object result = nb::cast(array, nb::rv_policy::reference);
  return foreign ? hooks().finish(result, ral_dtype_name(dtype)) : result;
}

nb::object disc_runtime::makeArray(ral_output &output,
                                   const dlpack::ExchangeApi *api) {
  auto owned = std::make_unique<Owned>();
  owned->output = output;
  output = {};
  return api ? makeTensor(std::move(owned), *api)
             : makeNumpy(std::move(owned));
}
