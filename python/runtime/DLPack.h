// The part of the DLPack 1.x binary interface that we speak.
#ifndef DISC_RUNTIME_DLPACK_H
#define DISC_RUNTIME_DLPACK_H

#include <cstdint>

namespace dlpack {

enum : int32_t { kCPU = 1 };
enum TypeCode : uint8_t {
  kInt = 0,
  kUInt = 1,
  kFloat = 2,
  kBFloat = 4,
  kComplex = 5,
  kBool = 6,
  kFloat8_E3M4 = 7,
  kFloat8_E4M3 = 8,
  kFloat8_E4M3B11FNUZ = 9,
  kFloat8_E4M3FN = 10,
  kFloat8_E4M3FNUZ = 11,
  kFloat8_E5M2 = 12,
  kFloat8_E5M2FNUZ = 13,
  kFloat8_E8M0FNU = 14
};

struct Version {
  uint32_t major, minor;
};
struct Device {
  int32_t type, id;
};
struct DataType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct Tensor {
  void *data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t *shape;
  int64_t *strides; // in elements
  uint64_t byteOffset;
};
struct ManagedTensorVersioned {
  Version version;
  void *context;
  void (*deleter)(ManagedTensorVersioned *);
  uint64_t flags;
  Tensor tensor;
};

/// What a type's `__dlpack_c_exchange_api__` capsule points at.
struct ExchangeApi {
  Version version;
  ExchangeApi *previous;
  void *allocator;
  int (*managedFromObject)(void *object, ManagedTensorVersioned **out);
  int (*objectFromManaged)(ManagedTensorVersioned *tensor, void **out);
  int (*viewObject)(void *object, Tensor *out); // may be null
  void *workStream;
};

} // namespace dlpack
#endif
