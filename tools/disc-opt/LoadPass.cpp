// Passes that a user loads from Python files, with no C++ build.
#include "LoadPass.h"
#include "passes/natives/PassGlue.h"
#include "passes/natives/PatternPassInfo.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

disc::LoadRequest disc::takeLoadRequest(std::vector<char *> &args) {
  LoadRequest request;
  request.tool = args.front();
  std::vector<char *> rest;
  for (size_t i = 0; i < args.size(); ++i) {
    StringRef arg = args[i];
    if (!arg.consume_front("--"))
      arg.consume_front("-");
    auto take = [&](StringRef name) -> std::optional<std::string> {
      if (arg == args[i] || !arg.consume_front(name))
        return std::nullopt;
      if (arg.consume_front("="))
        return arg.str();
      if (arg.empty() && i + 1 < args.size())
        return std::string(args[++i]);
      return std::nullopt;
    };
    if (auto file = take("load-pass"))
      request.files.push_back(*file);
    else if (auto pattern = take("explain"))
      request.explain = *pattern;
    else if (auto python = take("python"))
      request.python = *python;
    else
      rest.push_back(args[i]);
  }
  args = std::move(rest);
  return request;
}

static FailureOr<std::string> findPython(const std::string &asked,
                                         StringRef toolDir) {
  if (!asked.empty())
    return asked;
  // In a wheel the tool is <prefix>/lib/pythonX.Y/site-packages/disc/bin.
  SmallString<256> prefix(toolDir);
  if (toolDir.contains("site-packages"))
    llvm::sys::path::append(prefix, "../../../../../bin");
  for (StringRef dir : {toolDir, StringRef(prefix)})
    if (auto beside = llvm::sys::findProgramByName("python3", {dir}))
      return *beside;
  // In a build tree it is the Python that the build ran.
  if (llvm::sys::fs::can_execute(DISC_BUILD_PYTHON))
    return std::string(DISC_BUILD_PYTHON);
  if (auto found = llvm::sys::findProgramByName("python3"))
    return *found;
  llvm::errs() << "error: `--load-pass` needs a Python with disc_dsl: none "
                  "beside disc-opt or in PATH; give one by `--python=`\n";
  return failure();
}

/// The folder that holds disc_dsl in a build tree or a wheel; empty where only
/// the Python knows.
static std::string findPackage(StringRef toolDir) {
  for (StringRef up : {"../../python", "../../../python", "../.."}) {
    SmallString<256> dir(toolDir);
    llvm::sys::path::append(dir, up);
    SmallString<256> init(dir);
    llvm::sys::path::append(init, "disc_dsl", "__init__.py");
    if (llvm::sys::fs::exists(init))
      return dir.str().str();
  }
  return "";
}

FailureOr<llvm::json::Object> disc::runDsl(const LoadRequest &request,
                                           StringRef what,
                                           StringRef argument) {
  std::string path = llvm::sys::fs::getMainExecutable(
      request.tool.c_str(), reinterpret_cast<void *>(&takeLoadRequest));
  StringRef dir = llvm::sys::path::parent_path(path);
  FailureOr<std::string> python = findPython(request.python, dir);
  if (failed(python))
    return failure();
  SmallString<256> models(dir);
  llvm::sys::path::append(models, "..", "passes", "ods.json");
  SmallString<128> out;
  if (llvm::sys::fs::createTemporaryFile("disc-pass", "json", out)) {
    llvm::errs() << "error: cannot create a temporary file\n";
    return failure();
  }
  auto remove = llvm::make_scope_exit([&] { llvm::sys::fs::remove(out); });

  std::string start = "import sys; p = sys.argv.pop(1); "
                      "p and sys.path.insert(0, p); "
                      "from disc_dsl.describe import main; main()";
  std::string package = findPackage(dir);
  SmallVector<StringRef> args = {*python, "-c", start, package, what, argument, out};
  if (llvm::sys::fs::exists(models))
    args.append({"--ods", models});
  std::string error;
  int rc = llvm::sys::ExecuteAndWait(*python, args, std::nullopt, {}, 0, 0,
                                     &error);
  if (rc != 0) {
    if (!error.empty())
      llvm::errs() << "error: cannot run `" << *python << "`: " << error
                   << "\n";
    return failure();
  }
  auto buffer = llvm::MemoryBuffer::getFile(out);
  if (!buffer)
    return failure();
  llvm::Expected<llvm::json::Value> json =
      llvm::json::parse((*buffer)->getBuffer());
  if (!json || !json->getAsObject()) {
    llvm::errs() << argument << ":1:1: error: disc_dsl gave no pass";
    if (!json)
      llvm::errs() << ": " << llvm::toString(json.takeError());
    llvm::errs() << "\n";
    return failure();
  }
  if (LogicalResult known = checkNatives(*json->getAsObject()); failed(known))
    return known;
  return std::move(*json->getAsObject());
}

LogicalResult disc::loadPasses(const LoadRequest &request) {
  for (const std::string &file : request.files) {
    FailureOr<llvm::json::Object> pass = runDsl(request, "pass", file);
    if (failed(pass))
      return failure();
    StringRef flag = pass->getString("flag").value_or("");
    if (isFlagTaken(flag)) {
      llvm::errs() << file << ":1:1: error: `--" << flag
                   << "` is another pass's flag already; give the file another name\n";
      return failure();
    }
    registerPatternPass(*pass);
  }
  return success();
}
