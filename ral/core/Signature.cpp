// What an artifact says of its inputs, constants and outputs.
#include "core/Signature.h"
#include "core/Status.h"

#include <algorithm>
#include <cstdlib>

using namespace ral;

static const char *const kindNames[] = {"input", "constant", "output"};

std::string ral::describe(int32_t kind, int64_t index, const ArgSpec &spec) {
  std::string out = concat(kindNames[kind], " ", index);
  return spec.name.empty() ? out : out + " `" + spec.name + "`";
}

static bool parseInteger(const std::string &text, int64_t &out) {
  char *end;
  out = std::strtoll(text.c_str(), &end, 10);
  return !text.empty() && *end == '\0' && out >= 0;
}

static int32_t internSymbol(std::vector<std::string> &symbols,
                            const std::string &name) {
  auto it = std::find(symbols.begin(), symbols.end(), name);
  if (it == symbols.end())
    it = symbols.insert(symbols.end(), name);
  return static_cast<int32_t>(it - symbols.begin());
}

static bool parseDims(const std::string &text, Signature &signature,
                      ArgSpec &spec) {
  if (text == "-")
    return true;
  std::istringstream in(text + ",");
  for (std::string dim; std::getline(in, dim, ',');) {
    if (dim.empty())
      return false;
    int64_t size = kDynamic;
    int32_t symbol = -1;
    bool isNumber = dim[0] >= '0' && dim[0] <= '9';
    if (isNumber && !parseInteger(dim, size))
      return false;
    if (!isNumber && dim != "?")
      symbol = internSymbol(signature.symbols, dim);
    spec.sizes.push_back(size);
    spec.symbols.push_back(symbol);
  }
  return true;
}

/// Parses one line after the version; false when it is malformed.
static bool parseLine(const std::string &line, Signature &signature) {
  std::istringstream in(line);
  std::string kind, index, dtype, name, dims, extra;
  in >> kind >> index >> dtype;
  auto kindIt = std::find(std::begin(kindNames), std::end(kindNames), kind);
  if (kindIt == std::end(kindNames))
    return false;
  bool isOutput = kindIt - kindNames == RAL_OUTPUT;
  if (!isOutput)
    in >> name;
  if (!(in >> dims) || in >> extra)
    return false;
  std::vector<ArgSpec> &args = signature.args[kindIt - kindNames];
  int64_t position;
  ArgSpec spec;
  spec.name = name == "-" ? "" : name;
  spec.dtype = ral_dtype_parse(dtype.c_str());
  if (!parseInteger(index, position) || position != int64_t(args.size()) ||
      !spec.dtype || !parseDims(dims, signature, spec))
    return false;
  args.push_back(std::move(spec));
  return true;
}

ral_status Signature::parse(const char *text, const std::string &path) {
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  if (line != "disc 1")
    return makeStatus(RAL_UNSUPPORTED,
                      concat(path, ":signature:1: error: expected `disc 1`, got `",
                             line, "`; compile it again with this version"));
  for (int number = 2; std::getline(in, line); ++number)
    if (!line.empty() && !parseLine(line, *this))
      return makeStatus(
          RAL_UNSUPPORTED,
          concat(path, ":signature:", number,
                 ": error: expected `input|constant <i> <dtype> <name> <dims>` "
                 "or `output <i> <dtype> <dims>` in order, got `",
                 line, "`"));
  for (std::vector<ArgSpec> &kind : args)
    for (ArgSpec &spec : kind)
      for (int32_t symbol : spec.symbols)
        spec.symbolNames.push_back(symbol < 0 ? "" : symbols[symbol].c_str());
  return nullptr;
}
