#include "analysis/source/code/source_items.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "analysis/source/code/declaration_head.hpp"
#include "analysis/source/code/masked_code.hpp"

namespace rooftile {
namespace {

bool contains(const std::vector<std::string_view>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
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
          const bool declares = is_annotated({head, at}) || annotations_.declares_type(first_word({head, at}));
          add({head, at}, declares ? Item::Kept::always : Item::Kept::never);
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
    if (is_function(outline) && !is_initializer(close)) {
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

  // "struct A : decltype(base())", unlike "struct A f()".
  static bool is_class(const std::string& outline) {
    const auto words = identifiers(outline);
    const std::size_t first = !words.empty() && words[0] == "template" ? 1 : 0;
    return words.size() > first && std::ranges::find(class_keys, words[first]) != class_keys.end() &&
           without_bases(outline).find('(') == outline.npos;
  }

  // The braces of a member in "A() : a{1}, b{2} {}", which ends at `close`.
  bool is_initializer(std::size_t close) const {
    const std::size_t next = next_solid(text_, close + 1);
    return next < text_.size() && (text_[next] == '{' || text_[next] == ',');
  }

  static bool is_function(const std::string& outline) {
    const std::size_t open = outline.find('(');
    return open != outline.npos && !is_class(outline) &&
           (outline.find('=') > open || outline.find("operator") != outline.npos);
  }

  bool is_annotated(Part part) const {
    return annotations_.any_in(identifiers(text_.substr(part.begin, part.end - part.begin)));
  }

  std::string_view first_word(Part part) const {
    return identifiers(text_.substr(part.begin, part.end - part.begin)).front();
  }

  void add_function(Part place, const std::string& outline) {
    const auto words = identifiers(outline);
    const bool is_operator = contains(words, "operator");
    if (annotations_.any_in(words)) {
      add(place, is_operator || is_kernel(words) ? Item::Kept::always : Item::Kept::where_named,
          declared(outline));
    } else {
      add(place, annotations_.any_constant_in(words) ? Item::Kept::where_named : Item::Kept::never,
          declared(outline));
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
    const bool is_constant = annotations_.any_constant_in(words) || contains(words, "const");
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
        if (is_function(outline) && !is_initializer(close)) {
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
                      annotations_.any_constant_in(words) || contains(words, "default") ||
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

}  // namespace

std::vector<Item> source_items(std::string_view text, const Annotations& annotations) {
  return ItemReader(text, annotations).read();
}

}  // namespace rooftile
