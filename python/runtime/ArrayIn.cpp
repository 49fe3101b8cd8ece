// Python arrays as ral_tensors.
#include "Arrays.h"

#include <cstring>
#include <unordered_map>

using namespace disc_runtime;

static constexpr int kMaxRank = 32;

const dlpack::ExchangeApi *disc_runtime::exchangeApi(nb::handle object) {
  // Types live as long as the entries here: one reference each is kept.
  static auto &known =
      *new std::unordered_map<PyTypeObject *, const dlpack::ExchangeApi *>();
  PyTypeObject *type = Py_TYPE(object.ptr());
  auto it = known.find(type);
  if (it != known.end())
    return it->second;
  const dlpack::ExchangeApi *api = nullptr;
  PyObject *capsule = PyObject_GetAttrString(reinterpret_cast<PyObject *>(type),
                                             "__dlpack_c_exchange_api__");
  if (capsule) {
    api = static_cast<const dlpack::ExchangeApi *>(
        PyCapsule_GetPointer(capsule, "dlpack_exchange_api"));
    Py_DECREF(capsule);
  }
  PyErr_Clear();
  while (api && (api->version.major != 1 || !api->viewObject))
    api = api->previous;
  Py_INCREF(type);
  known.emplace(type, api);
  return api;
}

static int32_t dtypeOf(dlpack::DataType type) {
  auto integer = [&](int32_t first) {
    switch (type.bits) {
    case 8:
      return first;
    case 16:
      return first + 1;
    case 32:
      return first + 2;
    case 64:
      return first + 3;
    default:
      return 0;
    }
  };
  if (type.lanes != 1)
    return 0;
  switch (type.code) {
  case dlpack::kBool:
    return type.bits == 8 ? RAL_I1 : 0;
  case dlpack::kInt:
    return integer(RAL_I8);
  case dlpack::kUInt:
    return integer(RAL_U8);
  case dlpack::kFloat:
    return type.bits == 16   ? RAL_F16
           : type.bits == 32 ? RAL_F32
           : type.bits == 64 ? RAL_F64
                             : 0;
  case dlpack::kBFloat:
    return type.bits == 16 ? RAL_BF16 : 0;
  case dlpack::kComplex:
    return type.bits == 64 ? RAL_C64 : type.bits == 128 ? RAL_C128 : 0;
  case dlpack::kFloat8_E3M4:
    return RAL_F8E3M4;
  case dlpack::kFloat8_E4M3:
    return RAL_F8E4M3;
  case dlpack::kFloat8_E4M3B11FNUZ:
    return RAL_F8E4M3B11FNUZ;
  case dlpack::kFloat8_E4M3FN:
    return RAL_F8E4M3FN;
  case dlpack::kFloat8_E4M3FNUZ:
    return RAL_F8E4M3FNUZ;
  case dlpack::kFloat8_E5M2:
    return RAL_F8E5M2;
  case dlpack::kFloat8_E5M2FNUZ:
    return RAL_F8E5M2FNUZ;
  case dlpack::kFloat8_E8M0FNU:
    return RAL_F8E8M0FNU;
  default:
    return 0;
  }
}

/// The element type of a buffer's format (as Python's struct module spells it),
/// or 0.
static int32_t dtypeOf(const char *format, Py_ssize_t bytes) {
  if (!format)
    return RAL_U8;
  if (*format == '@' || *format == '=' || *format == '<')
    ++format;
  bool isComplex = *format == 'Z';
  format += isComplex;
  if (format[0] == '\0' || format[1] != '\0')
    return 0;
  uint8_t bits = uint8_t(bytes * 8);
  if (isComplex)
    return dtypeOf({dlpack::kComplex, bits, 1});
  switch (*format) {
  case '?':
    return RAL_I1;
  case 'b':
  case 'h':
  case 'i':
  case 'l':
  case 'q':
    return dtypeOf({dlpack::kInt, bits, 1});
  case 'B':
  case 'H':
  case 'I':
  case 'L':
  case 'Q':
    return dtypeOf({dlpack::kUInt, bits, 1});
  case 'e':
  case 'f':
  case 'd':
    return dtypeOf({dlpack::kFloat, bits, 1});
  default:
    return 0;
  }
}

ArrayView::~ArrayView() {
  if (hasBuffer)
    PyBuffer_Release(&buffer);
}

/// Whether `object`, a tensor, has the method `question` and it says yes.
static bool says(nb::handle object, PyObject *question) {
  PyObject *answer = PyObject_CallMethodNoArgs(object.ptr(), question);
  if (!answer)
    PyErr_Clear();
  Py_XDECREF(answer);
  return answer == Py_True;
}

/// torch keeps a conjugate or a negative of some tensors as a bit, which DLPack
/// does not carry: such a tensor, with its elements computed.
static nb::object resolved(nb::handle object) {
  static PyObject *const isConj = PyUnicode_InternFromString("is_conj");
  static PyObject *const isNeg = PyUnicode_InternFromString("is_neg");
  if (!says(object, isConj) && !says(object, isNeg))
    return nb::borrow(object);
  return object.attr("resolve_conj")().attr("resolve_neg")();
}

void ArrayView::viewTensor(nb::handle object, const dlpack::ExchangeApi &api) {
  dlpack::Tensor tensor;
  if (api.viewObject(object.ptr(), &tensor))
    throw nb::python_error();
  if (tensor.device.type != dlpack::kCPU)
    throw nb::type_error("expected a tensor on the CPU");
  value.dtype = dtypeOf(tensor.dtype);
  if (!value.dtype)
    throw nb::type_error("its element type is not supported");
  value.data = static_cast<char *>(tensor.data) + tensor.byteOffset;
  value.rank = tensor.ndim;
  value.sizes = tensor.shape;
  value.strides = tensor.strides;
}

/// False when `object` has no buffer or one that we cannot read.
bool ArrayView::viewBuffer(nb::handle object) {
  if (!PyObject_CheckBuffer(object.ptr()) || PyBytes_Check(object.ptr()))
    return false;
  if (PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_STRIDES | PyBUF_FORMAT)) {
    PyErr_Clear();
    return false;
  }
  hasBuffer = true;
  value.dtype = dtypeOf(buffer.format, buffer.itemsize);
  bool readable = value.dtype && buffer.ndim <= kMaxRank;
  for (int i = 0; readable && i < buffer.ndim; ++i) {
    readable = buffer.strides[i] % buffer.itemsize == 0;
    strides[i] = buffer.strides[i] / buffer.itemsize;
  }
  if (!readable) {
    PyBuffer_Release(&buffer);
    hasBuffer = false;
    return false;
  }
  static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "64-bit only");
  value.data = buffer.buf;
  value.rank = buffer.ndim;
  value.sizes = reinterpret_cast<int64_t *>(buffer.shape);
  value.strides = strides;
  return true;
}

/// Element types that frameworks lack travel in others of the same storage.
void ArrayView::relabel(int32_t expected) {
  auto isOneOf = [&](std::initializer_list<int32_t> list) {
    for (int32_t dtype : list)
      if (dtype == expected)
        return true;
    return false;
  };
  bool same = false;
  switch (value.dtype) {
  case RAL_I8:
    same = isOneOf({RAL_I2, RAL_I4});
    break;
  case RAL_U8:
    same = isOneOf({RAL_U2, RAL_U4}) || expected >= RAL_F8E4M3FN;
    break;
  case RAL_I64:
    same = expected == RAL_INDEX;
    break;
  case RAL_U16:
    same = expected == RAL_BF16;
    break;
  default:
    break;
  }
  if (same)
    value.dtype = expected;
}

void ArrayView::view(nb::handle object, int32_t dtype) {
  if (const dlpack::ExchangeApi *api = exchangeApi(object)) {
    keep = resolved(object);
    viewTensor(keep, *api);
  } else if (!viewBuffer(object)) {
    keep = hooks().coerce(object, ral_dtype_name(dtype));
    if (!viewBuffer(keep))
      throw nb::type_error("expected an array");
  }
  relabel(dtype);
}
