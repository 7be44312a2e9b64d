#include "analysis/source/code/device_code.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/source/code/masked_code.hpp"

namespace rooftile {
namespace {

using Words = std::set<std::string, std::less<>>;
using Macros = std::multimap<std::string, std::vector<std::string>, std::less<>>;  // what each stands for

constexpr std::array<std::string_view, 4> annotations = {"__global__", "__device__", "__constant__",
                                                         "__managed__"};
constexpr std::array<std::string_view, 6> attributes = {"__attribute__", "__launch_bounds__", "__align__",
                                                        "__declspec",    "__maxnreg__",       "alignas"};
constexpr std::array<std::string_view, 3> class_keys = {"struct", "class", "union"};
// The annotations of CUDA's headers. An unknown annotation is from a header that is not there.
const Words namespaces_of_cuda = {"std", "nvcuda", "wmma", "cooperative_groups", "cub", "cuda", "cg"};

struct Part {
  std::size_t begin = 0, end = 0;
  bool operator==(const Part&) const = default;
};

// A declaration or definition of a namespace.
struct Item {
  enum class Kept { never, where_named, always };
  Part place;
  Kept kept = Kept::where_named;
  std::vector<std::string> names;     // that it declares
  std::vector<Part> members_of_host;  // functions of a class
};

bool contains(const std::vector<std::string_view>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// The replacement of each macro, from all places that define it.
Macros macros_of(const std::vector<MaskedCode>& texts) {
  Macros macros;
  for (const MaskedCode& text : texts) {
    for (const Directive& directive : text.directives) {
      const auto words = identifiers(directive.text);
      if (words.size() > 1 && words[0] == "define") {
        macros.emplace(std::string(words[1]), std::vector<std::string>(words.begin() + 2, words.end()));
      }
    }
  }
  return macros;
}

// A macro of a header that is not there, by its name: TORCH_DSA_KERNEL, HOST_DEVICE.
bool sounds_like_annotation(std::string_view word) {
  const bool shouts = std::ranges::none_of(word, [](unsigned char c) { return std::islower(c) != 0; });
  return shouts && (word.find("DEVICE") != word.npos || word.find("GLOBAL") != word.npos ||
                    word.find("KERNEL") != word.npos);
}

class Annotations {
 public:
  explicit Annotations(const Macros& macros) : macros_(&macros) {
    for (bool grown = true; grown;) {
      grown = false;
      for (const auto& [name, stands_for] : macros) {
        grown |= std::ranges::any_of(stands_for, [&](const auto& word) { return is_known(word); }) &&
                 known_.insert(name).second;
      }
    }
  }

  bool any_in(const std::vector<std::string_view>& words) const {
    return std::ranges::any_of(words, [&](std::string_view word) { return is_one(word); });
  }
  bool is_one(std::string_view word) const {
    return is_known(word) || (!macros_->contains(word) && sounds_like_annotation(word));
  }

 private:
  bool is_known(std::string_view word) const {
    return std::ranges::find(annotations, word) != annotations.end() || known_.contains(word);
  }

  const Macros* macros_;
  Words known_;
};

// The position that closes the angle bracket at `open`: "<int N, bool B = (N > 4)>".
std::size_t closing_angle(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[' || text[at] == '{') {
      at = closing(text, at);
    } else if (text[at] == '<') {
      ++depth;
    } else if (text[at] == '>' && --depth == 0) {
      return at;
    }
  }
  return text.size();
}

std::size_t next_solid(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

// Without the parameters of its templates, what stands in its brackets, and attributes with brackets of their
// own:
// "__global__ void f()", "struct S".
std::string outline(std::string_view head) {
  std::string outline;
  for (std::size_t at = 0; at < head.size(); ++at) {
    if (head[at] == '{') {
      outline += "{}";
      at = closing(head, at);
      continue;
    }
    if (head[at] != '(' && head[at] != '[') {
      outline += head[at];
      const auto word = std::string_view(outline);
      const std::size_t next = next_solid(head, at + 1);
      if (word.ends_with("template") && next < head.size() && head[next] == '<') {
        at = closing_angle(head, next);
      }
      continue;
    }
    const std::size_t close = closing(head, at);
    const auto words = identifiers(outline);
    const std::string_view last = words.empty() ? "" : words.back();
    const bool attribute = std::ranges::find(attributes, last) != attributes.end();
    if (attribute && next_solid(outline, outline.rfind(last) + last.size()) == outline.size()) {
      outline.resize(outline.rfind(last));
    } else if (head[at] == '(') {
      outline += "()";
    }
    at = close;
  }
  return outline;
}

// "std::vector x" of "std::vector<int> x"; none is a comparison.
std::string without_angles(std::string_view head) {
  std::string plain;
  for (std::size_t at = 0; at < head.size(); ++at) {
    if (head[at] == '<') {
      at = closing_angle(head, at);
    } else {
      plain += head[at];
    }
  }
  return plain;
}

// "struct S" of "struct S : Base".
std::string without_bases(const std::string& outline) {
  std::size_t colon = outline.find(':');
  while (colon != outline.npos && outline.compare(colon, 2, "::") == 0) {
    colon = outline.find(':', colon + 2);
  }
  return outline.substr(0, colon);
}

// The names that a head declares. A name stands before the parameters, the value or the end; a list has
// several.
std::vector<std::string> declared(const std::string& outline) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < outline.size();) {
    const std::size_t end = std::min(outline.find(',', begin), outline.size());
    const std::string_view one = std::string_view(outline).substr(begin, end - begin);
    const std::string head = without_angles(one.substr(0, std::min(one.find_first_of("=([{"), one.size())));
    const auto words = identifiers(head);
    if (!words.empty() && std::ranges::find(class_keys, words.back()) == class_keys.end()) {
      names.emplace_back(words.back());
    }
    begin = end + 1;
  }
  return names;
}

// "typedef void (*Callback)" of "typedef void (*Callback)(int x)".
std::string_view without_last_list(std::string_view statement) {
  const bool has_list = statement.ends_with(')') && statement.starts_with("typedef");
  std::size_t open = has_list ? statement.size() - 1 : statement.size();
  for (int depth = has_list ? 1 : 0; depth > 0 && open > 0;) {
    --open;
    depth += statement[open] == ')' ? 1 : statement[open] == '(' ? -1 : 0;
  }
  return statement.substr(0, open);
}

class ItemReader {
 public:
  ItemReader(std::string_view text, const Annotations& annotations) : text_(text), annotations_(annotations) {}

  std::vector<Item> read() {
    read_scope(0, text_.size());
    return std::move(items_);
  }

 private:
  void read_scope(std::size_t begin, std::size_t end) {
    std::size_t head = next_solid(text_, begin);
    for (std::size_t at = head; at < end;) {
      const char c = text_[at];
      if (c == '(' || c == '[') {
        const std::size_t close = closing(text_, at);
        at = std::min(close + 1, end);
        if (c == '(' && is_call_of_macro(head, close, end)) {
          add({head, at}, is_annotated({head, at}) ? Item::Kept::always : Item::Kept::never);
          head = at = next_solid(text_, at);
        }
      } else if (c == '{') {
        at = read_braces(head, at, end);
        if (at == head_after_) {
          head = at = next_solid(text_, at);
        }
      } else if (c == ';' || c == '}') {
        if (c == ';') {
          read_statement({head, at + 1});
        }
        head = at = next_solid(text_, at + 1);
      } else {
        ++at;
      }
    }
  }

  // A line such as DEFINE_KERNEL(sum, float), before another declaration.
  bool is_call_of_macro(std::size_t head, std::size_t close, std::size_t end) const {
    const auto words = identifiers(text_.substr(head, text_.find('(', head) - head));
    const std::size_t next = next_solid(text_, close + 1);
    const bool alone =
        next >= end || (text_.substr(close, next - close).find('\n') != text_.npos &&
                        (std::isalpha(static_cast<unsigned char>(text_[next])) != 0 || text_[next] == '_'));
    return alone && words.size() == 1 && !words[0].starts_with("__") && words[0] != "alignas";
  }

  // Behind the braces; where an item or a scope ends with them, head_after_ is the same.
  std::size_t read_braces(std::size_t head, std::size_t open, std::size_t end) {
    const std::size_t close = std::min(closing(text_, open), end);
    const std::string outline = rooftile::outline(text_.substr(head, open - head));
    const auto words = identifiers(outline);
    if (contains(words, "namespace") || (words.size() == 1 && words[0] == "extern")) {
      read_scope(open + 1, close);
      return head_after_ = close + 1;
    }
    if (is_function(outline)) {
      add_function({head, close + 1}, outline);
      return head_after_ = close + 1;
    }
    if (std::ranges::any_of(class_keys, [&](std::string_view key) { return contains(words, key); })) {
      class_body_ = {open + 1, close};
      class_names_ = declared(without_bases(outline));
    }
    head_after_ = text_.npos;
    return close + 1;
  }

  static bool is_function(const std::string& outline) {
    const std::size_t open = outline.find('(');
    return open != outline.npos && (outline.find('=') > open || outline.find("operator") != outline.npos);
  }

  bool is_annotated(Part part) const {
    return annotations_.any_in(identifiers(text_.substr(part.begin, part.end - part.begin)));
  }

  void add_function(Part place, const std::string& outline) {
    const auto words = identifiers(outline);
    const bool is_operator = contains(words, "operator");
    if (annotations_.any_in(words)) {
      add(place, is_operator || is_kernel(words) ? Item::Kept::always : Item::Kept::where_named,
          declared(outline));
    } else {
      const bool is_constant = contains(words, "constexpr") || contains(words, "consteval");
      add(place, is_constant ? Item::Kept::where_named : Item::Kept::never, declared(outline));
    }
  }

  // Or one behind a macro, which may be either.
  bool is_kernel(const std::vector<std::string_view>& words) const {
    return std::ranges::any_of(words, [&](std::string_view word) {
      return word == "__global__" || (annotations_.is_one(word) && !word.starts_with("__"));
    });
  }

  void read_statement(Part place) {
    const std::optional<Part> body = std::exchange(class_body_, std::nullopt);
    if (body && body->begin > place.begin && body->end < place.end) {
      return read_class(place, *body);
    }
    const std::string outline = rooftile::outline(text_.substr(place.begin, place.end - place.begin - 1));
    const auto words = identifiers(outline);
    if (words.empty()) {
      return;
    }
    if (words[0] == "using" && words.size() > 1 && words[1] == "namespace") {
      return add(place, Item::Kept::where_named, {"using namespace " + std::string(words.back())});
    }
    if (words[0] == "typedef" || words[0] == "static_assert" || contains(words, "enum")) {
      const auto all = identifiers(without_last_list(text_.substr(place.begin, place.end - place.begin - 1)));
      std::vector<std::string> names(all.begin() + 1, all.end());
      std::erase(names, "void");
      return add(place, Item::Kept::where_named, std::move(names));
    }
    const std::size_t template_end = outline.find("template") == 0 ? outline.find_first_not_of(" \n", 8) : 0;
    const bool is_instance = words[0] == "template" && template_end != outline.npos &&
                             text_[next_solid(text_, place.begin + 8)] != '<';
    if (is_function(outline) || is_instance) {
      return add_prototype(place, outline, is_instance);
    }
    add(place, Item::Kept::where_named, declared(outline));
  }

  // Also a variable with a value in parentheses, which only a constant may have for a kernel.
  void add_prototype(Part place, const std::string& outline, bool is_instance) {
    const auto words = identifiers(outline);
    if (annotations_.any_in(words)) {
      const bool always = is_instance || contains(words, "operator") || words.size() == 1;
      return add(place, always ? Item::Kept::always : Item::Kept::where_named, declared(outline));
    }
    const bool is_constant = contains(words, "constexpr") || contains(words, "const");
    add(place, is_constant && !is_instance ? Item::Kept::where_named : Item::Kept::never, declared(outline));
  }

  void read_class(Part place, Part body) {
    std::vector<std::string> names = std::move(class_names_);
    const auto behind = declared(outline(text_.substr(body.end + 1, place.end - body.end - 2)));
    names.insert(names.end(), behind.begin(), behind.end());
    add(place, Item::Kept::where_named, std::move(names));
    Item& item = items_.back();
    read_members(body, item.members_of_host);
  }

  void read_members(Part body, std::vector<Part>& of_host) const {
    std::size_t head = next_solid(text_, body.begin);
    for (std::size_t at = head; at < body.end;) {
      const char c = text_[at];
      if (c == '(' || c == '[') {
        at = closing(text_, at) + 1;
      } else if (c == ':' && is_access(text_.substr(head, at - head))) {
        head = at = next_solid(text_, at + 1);
      } else if (c == '{') {
        const std::size_t close = closing(text_, at);
        const std::string outline = rooftile::outline(text_.substr(head, at - head));
        at = close + 1;
        if (is_function(outline)) {
          add_member({head, at}, outline, of_host);
          head = at = next_solid(text_, at);
        }
      } else if (c == ';') {
        const std::string outline = rooftile::outline(text_.substr(head, at - head));
        if (is_function(outline)) {
          add_member({head, at + 1}, outline, of_host);
        }
        head = at = next_solid(text_, at + 1);
      } else {
        ++at;
      }
    }
  }

  static bool is_access(std::string_view head) {
    const auto words = identifiers(head);
    return words.size() == 1 && (words[0] == "public" || words[0] == "private" || words[0] == "protected");
  }

  // A virtual function changes what a class looks like in memory.
  void add_member(Part place, const std::string& outline, std::vector<Part>& of_host) const {
    const auto words = identifiers(outline);
    const bool kept = annotations_.any_in(words) || contains(words, "virtual") ||
                      contains(words, "constexpr") || contains(words, "default") ||
                      contains(words, "typedef") || contains(words, "using") ||
                      contains(words, "static_assert");
    if (!kept) {
      of_host.push_back(place);
    }
  }

  void add(Part place, Item::Kept kept, std::vector<std::string> names = {}) {
    items_.push_back({place, kept, std::move(names), {}});
  }

  std::string_view text_;
  const Annotations& annotations_;
  std::vector<Item> items_;
  std::size_t head_after_ = 0;
  std::optional<Part> class_body_;  // of the statement that is being read
  std::vector<std::string> class_names_;
};

// Which items the kernels need.
class Need {
 public:
  Need(const std::vector<MaskedCode>& texts, const std::vector<std::vector<Item>>& items, const Macros& macros)
      : texts_(texts), items_(items), macros_(macros) {
    for (std::size_t text = 0; text < items.size(); ++text) {
      for (std::size_t i = 0; i < items[text].size(); ++i) {
        for (const std::string& name : items[text][i].names) {
          by_name_.emplace(name, std::pair(text, i));
        }
        if (items[text][i].kept == Item::Kept::always) {
          take({text, i});
        }
      }
    }
    for (const MaskedCode& text : texts) {
      take_namespaces(text);
    }
    while (!waiting_.empty()) {
      const Place next = waiting_.front();
      waiting_.pop_front();
      name_words_of(next);
    }
  }

  bool has(std::size_t text, std::size_t item) const { return taken_.contains({text, item}); }

 private:
  using Place = std::pair<std::size_t, std::size_t>;

  void take(Place place) {
    if (taken_.insert(place).second) {
      waiting_.push_back(place);
    }
  }

  void take_namespaces(const MaskedCode& text) {
    Words known = namespaces_of_cuda;
    const auto words = identifiers(text.text);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] == "namespace" && (i == 0 || words[i - 1] != "using")) {
        known.emplace(words[i + 1]);
      }
    }
    for (const std::string& name : known) {
      take_named("using namespace " + name);
    }
  }

  void take_named(const std::string& name) {
    const auto [begin, end] = by_name_.equal_range(name);
    for (auto found = begin; found != end; ++found) {
      if (items_[found->second.first][found->second.second].kept != Item::Kept::never) {
        take(found->second);
      }
    }
  }

  void name_words_of(Place place) {
    const Item& item = items_[place.first][place.second];
    std::string text = texts_[place.first].text.substr(item.place.begin, item.place.end - item.place.begin);
    for (const Part& part : item.members_of_host) {
      std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(part.begin - item.place.begin),
                  part.end - part.begin, ' ');
    }
    for (const std::string_view word : identifiers(text)) {
      name(std::string(word));
    }
    for (const Directive& directive : texts_[place.first].directives) {  // #pragma unroll(STEPS)
      if (directive.begin > item.place.begin && directive.end < item.place.end) {
        for (const std::string_view word : identifiers(directive.text)) {
          name(std::string(word));
        }
      }
    }
  }

  void name(const std::string& word) {
    if (!named_.insert(word).second) {
      return;
    }
    take_named(word);
    const auto [begin, end] = macros_.equal_range(word);
    for (auto macro = begin; macro != end; ++macro) {
      for (const std::string& other : macro->second) {
        name(other);
      }
    }
  }

  const std::vector<MaskedCode>& texts_;
  const std::vector<std::vector<Item>>& items_;
  const Macros& macros_;
  std::multimap<std::string, Place, std::less<>> by_name_;
  std::set<Place> taken_;
  std::deque<Place> waiting_;
  Words named_;
};

bool includes(const Directive& directive) {
  const auto words = identifiers(directive.text);
  return !words.empty() && words[0] == "include";
}

// The directives among it stay, since an #endif may belong to an #if elsewhere.
void blank(std::string& text, Part part, const std::vector<Directive>& directives) {
  std::size_t at = part.begin;
  const auto blank_until = [&](std::size_t end) {
    for (; at < std::min(end, part.end); ++at) {
      text[at] = text[at] == '\n' ? '\n' : ' ';
    }
  };
  for (const Directive& directive : directives) {
    if (directive.begin >= part.begin && directive.end <= part.end && !includes(directive)) {
      blank_until(directive.begin);
      at = directive.end;
    }
  }
  blank_until(part.end);
}

}  // namespace

std::vector<std::string> device_code(const std::vector<std::string>& texts) {
  std::vector<MaskedCode> masks;
  std::ranges::transform(texts, std::back_inserter(masks), [](const auto& text) { return masked(text); });
  const Macros macros = macros_of(masks);
  const Annotations annotations(macros);
  std::vector<std::vector<Item>> items;
  std::ranges::transform(masks, std::back_inserter(items),
                         [&](const MaskedCode& mask) { return ItemReader(mask.text, annotations).read(); });
  const Need need(masks, items, macros);
  std::vector<std::string> left = texts;
  for (std::size_t text = 0; text < texts.size(); ++text) {
    for (std::size_t i = 0; i < items[text].size(); ++i) {
      if (!need.has(text, i)) {
        blank(left[text], items[text][i].place, masks[text].directives);
        continue;
      }
      for (const Part& member : items[text][i].members_of_host) {
        blank(left[text], member, masks[text].directives);
      }
    }
  }
  return left;
}

}  // namespace rooftile
