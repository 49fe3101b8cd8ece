// An artifact opened in a context, with its constants.
#ifndef RAL_CORE_PROGRAM_H
#define RAL_CORE_PROGRAM_H

#include "core/Context.h"
#include "core/Derived.h"
#include "core/Signature.h"

namespace ral {

/// A loaded shared object.
class Library {
public:
  Library() = default;
  Library(const Library &) = delete;
  ~Library();
  ral_status open(const std::string &path);
  void *symbol(const char *name) const;

private:
  void *handle = nullptr;
  int copy = -1; // descriptor of the private copy that was loaded
};

struct ConstantValue {
  void *data = nullptr;
  int64_t bytes = 0;
  Block *copy = nullptr; // ours, or the caller's:
  void (*release)(void *) = nullptr;
  void *user = nullptr;
};

} // namespace ral

struct ral_program {
  explicit ral_program(ral_context &owner)
      : context(owner), derived(*owner.pool) {
    context.retain();
  }
  ~ral_program();
  ral_status open(const char *path);
  ral_status setConstant(const char *name, const ral_tensor &value,
                         void (*release)(void *), void *user);
  /// Whether the bytes lie in one of the constants.
  bool isConstant(const void *data, int64_t bytes) const;

  ral_context &context;
  std::string path;
  ral::Library library;
  ral::Signature signature;
  disc_main_fn main = nullptr;
  std::vector<ral::ConstantValue> constants;
  std::atomic<int64_t> missingConstants{0};
  int64_t constantBytes = 0;
  ral::Derived derived;

private:
  void clearConstant(ral::ConstantValue &constant);
  void addRange(const ral::ConstantValue &constant);
  void forgetRange(const ral::ConstantValue &constant);

  std::map<const char *, int64_t> ranges; // of the constants: begin, bytes
};

#endif
