// What an artifact says of its inputs, constants and outputs.
#include "core/Signature.h"
#include "core/Status.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

using namespace ral;

static const char *const kindNames[] = {"input", "constant", "output"};

std::string ral::describe(int32_t kind, int64_t index, const ArgSpec &spec) {
  std::string out = concat(kindNames[kind], " ", index);
  return spec.name.empty() ? out : out + " `" + spec.name + "`";
}

static bool parseInteger(const std::string &text, int64_t &out) {
  char *end;
  errno = 0;
  out = std::strtoll(text.c_str(), &end, 10);
  return !text.empty() && *end == '\0' && out >= 0 && errno == 0;
}

size_t Signature::symbol(const std::string &name) {
  for (size_t i = 0; i < symbols.size(); ++i)
    if (symbols[i].name == name)
      return i;
  symbols.push_back({name});
  return symbols.size() - 1;
}

/// Parses a number, a symbol, or number * symbol, and adds it to `sum`.
static bool parseTerm(const std::string &text, bool negative,
                      Signature &signature, SizeSum &sum) {
  size_t star = text.find('*');
  std::string name = star == std::string::npos ? text : text.substr(star + 1);
  bool isNumber = !name.empty() && name[0] >= '0' && name[0] <= '9';
  int64_t factor = 1;
  if (isNumber ? star != std::string::npos || !parseInteger(name, factor)
               : name.empty() || (star != std::string::npos &&
                                  !parseInteger(text.substr(0, star), factor)))
    return false;
  factor = negative ? -factor : factor;
  if (isNumber)
    return !__builtin_add_overflow(sum.offset, factor, &sum.offset);
  sum.terms.push_back({signature.symbol(name), factor});
  return true;
}

static bool parseSum(const std::string &text, Signature &signature,
                     SizeSum &sum) {
  for (size_t at = 0; at < text.size();) {
    bool negative = text[at] == '-';
    at += negative || text[at] == '+';
    size_t end = std::min(text.find_first_of("+-", at), text.size());
    if (!parseTerm(text.substr(at, end - at), negative, signature, sum))
      return false;
    at = end;
  }
  return true;
}

static bool parseDims(const std::string &text, Signature &signature,
                      ArgSpec &spec) {
  if (text == "-")
    return true;
  std::istringstream in(text + ",");
  for (std::string dim; std::getline(in, dim, ',');) {
    SizeSum sum;
    bool isAny = dim == "?";
    if (dim.empty() || (!isAny && !parseSum(dim, signature, sum)))
      return false;
    bool isStatic = !isAny && sum.terms.empty();
    spec.sizes.push_back(isStatic ? sum.offset : kDynamic);
    spec.texts.push_back(sum.terms.empty() ? "" : dim);
    spec.sums.push_back(std::move(sum));
  }
  return true;
}

/// symbol <name> <min> <max> <multiple>
static bool parseSymbol(std::istringstream &in, Signature &signature) {
  SymbolSpec spec;
  std::string numbers[3], extra;
  if (!(in >> spec.name >> numbers[0] >> numbers[1] >> numbers[2]) ||
      in >> extra || !parseInteger(numbers[0], spec.min) ||
      !parseInteger(numbers[1], spec.max) ||
      !parseInteger(numbers[2], spec.multiple) || spec.multiple == 0)
    return false;
  signature.symbols[signature.symbol(spec.name)] = spec;
  return true;
}

/// Parses one line after the version; false when it is malformed.
static bool parseLine(const std::string &line, Signature &signature) {
  std::istringstream in(line);
  std::string kind, index, dtype, name, dims, extra;
  in >> kind;
  if (kind == "symbol")
    return parseSymbol(in, signature);
  if (kind == "precision") {
    std::string precision;
    signature.bf16Products = in >> precision && precision == "bf16";
    return signature.bf16Products && !(in >> extra);
  }
  in >> index >> dtype;
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
                 ": error: expected `input|constant <i> <dtype> <name> <dims>`, "
                 "`output <i> <dtype> <dims>` in order, `symbol <name> <min> "
                 "<max> <multiple>` or `precision bf16`, got `",
                 line, "`"));
  for (std::vector<ArgSpec> &kind : args)
    for (ArgSpec &spec : kind)
      for (const std::string &text : spec.texts)
        spec.symbolNames.push_back(text.c_str());
  return nullptr;
}
