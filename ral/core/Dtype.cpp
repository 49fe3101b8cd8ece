// Names and sizes of element types.
#include "disc/ral.h"

#include <cstring>

namespace {
struct Entry {
  const char *name;
  int64_t bytes;
};
} // namespace

// In the order of ral_dtype, from 1.
static const Entry entries[] = {
    {"?", 0},           {"i1", 1},          {"i2", 1},
    {"i4", 1},          {"i8", 1},          {"i16", 2},
    {"i32", 4},         {"i64", 8},         {"ui2", 1},
    {"ui4", 1},         {"ui8", 1},         {"ui16", 2},
    {"ui32", 4},        {"ui64", 8},        {"f16", 2},
    {"bf16", 2},        {"f32", 4},         {"f64", 8},
    {"complex<f32>", 8}, {"complex<f64>", 16}, {"index", 8},
    {"f8E4M3FN", 1},    {"f8E5M2", 1},      {"f8E4M3FNUZ", 1},
    {"f8E5M2FNUZ", 1},  {"f8E4M3B11FNUZ", 1}, {"f8E4M3", 1},
    {"f8E3M4", 1},      {"f8E8M0FNU", 1},   {"f4E2M1FN", 1},
    {"f6E2M3FN", 1},    {"f6E3M2FN", 1},
};
static constexpr int32_t numEntries = sizeof(entries) / sizeof(entries[0]);
static_assert(numEntries == RAL_F6E3M2FN + 1, "one entry per element type");

const char *ral_dtype_name(int32_t dtype) {
  return entries[dtype > 0 && dtype < numEntries ? dtype : 0].name;
}

int64_t ral_dtype_bytes(int32_t dtype) {
  return entries[dtype > 0 && dtype < numEntries ? dtype : 0].bytes;
}

int32_t ral_dtype_parse(const char *name) {
  for (int32_t i = 1; i < numEntries; ++i)
    if (!std::strcmp(entries[i].name, name))
      return i;
  return 0;
}
