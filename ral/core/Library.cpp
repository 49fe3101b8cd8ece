// Loading an artifact's shared object.
#include "core/Program.h"
#include "core/Status.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <map>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

using namespace ral;

namespace {
/// A file's content, as far as the file system tells.
using Identity = std::tuple<dev_t, ino_t, off_t, int64_t, int64_t>;

struct File {
  int fd = -1;
  ~File() {
    if (fd >= 0)
      close(fd);
  }
};
} // namespace

/// The dynamic loader knows an object by its path alone: a file that was
/// replaced since it was loaded would give the old code. Remembers what was
/// loaded from each path; false when `path` now holds something else.
static bool loadedAsIs(const std::string &path, const Identity &identity) {
  static std::mutex mutex;
  static auto &loaded = *new std::map<std::string, Identity>();
  std::lock_guard<std::mutex> lock(mutex);
  return loaded.emplace(path, identity).first->second == identity;
}

static ral_status loadError(const std::string &path, const std::string &why,
                            const char *call) {
  return makeStatus(RAL_NOT_FOUND,
                    concat("cannot load artifact `", path, "`: ", why), call);
}

/// Loads a private copy of the file under the name of its descriptor, which
/// stays open as long as the object is loaded, so that the name is its own.
static void *openCopy(int fd, off_t bytes, int &copy) {
  copy = memfd_create("disc-artifact", MFD_CLOEXEC);
  if (copy < 0)
    return nullptr;
  for (off_t offset = 0; offset < bytes;)
    if (sendfile(copy, fd, &offset, size_t(bytes - offset)) <= 0)
      break;
  std::string path = concat("/proc/self/fd/", copy);
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

/// Whether the file ends before its section headers, which linkers write last:
/// the dynamic loader maps such a file and dies reading it.
static bool isTruncated(int fd, off_t bytes) {
  Elf64_Ehdr header;
  if (pread(fd, &header, sizeof(header), 0) != sizeof(header))
    return true;
  uint64_t size = uint64_t(bytes);
  return header.e_shoff > size ||
         uint64_t(header.e_shnum) * header.e_shentsize > size - header.e_shoff;
}

/// Whether the code is for another kind of processor; the dynamic loader says of
/// such a file that there is none.
static bool isForeign(int fd) {
#if defined(__x86_64__)
  constexpr int kMachine = EM_X86_64;
#elif defined(__aarch64__)
  constexpr int kMachine = EM_AARCH64;
#else
  constexpr int kMachine = -1;
#endif
  Elf64_Ehdr header;
  return kMachine >= 0 && pread(fd, &header, sizeof(header), 0) == sizeof(header) &&
         header.e_machine != kMachine;
}

ral_status Library::open(const std::string &path) {
  File file;
  file.fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (file.fd < 0 || fstat(file.fd, &info))
    return loadError(path, std::strerror(errno), "open");
  char magic[4] = {};
  if (!S_ISREG(info.st_mode) || read(file.fd, magic, 4) != 4 ||
      std::memcmp(magic, "\x7f"
                         "ELF",
                  4))
    return loadError(path, "expected a shared object (ELF)", "read");
  if (isTruncated(file.fd, info.st_size))
    return loadError(path, "the file is truncated", "read");
  if (isForeign(file.fd))
    return loadError(path, "it is for another kind of processor than this one; compile it here", "read");
  std::string real = path.find('/') == std::string::npos ? "./" + path : path;
  Identity identity{info.st_dev, info.st_ino, info.st_size,
                    info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
  handle = loadedAsIs(real, identity)
               ? dlopen(real.c_str(), RTLD_NOW | RTLD_LOCAL)
               : openCopy(file.fd, info.st_size, copy);
  if (handle)
    return nullptr;
  const char *error = dlerror();
  return loadError(path, error ? error : std::strerror(errno), "dlopen");
}

Library::~Library() {
  if (handle)
    dlclose(handle);
  if (copy >= 0)
    close(copy);
}

void *Library::symbol(const char *name) const { return dlsym(handle, name); }
