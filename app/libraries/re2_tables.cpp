// RE2's tables of Unicode for a page, where every pattern is of ASCII: they are generated, and the
// distribution's sources lack them.
#include "re2/unicode_casefold.h"
#include "re2/unicode_groups.h"

namespace re2 {

const CaseFold unicode_casefold[] = {{'A', 'Z', 'a' - 'A'}, {'a', 'z', 'A' - 'a'}};
const int num_unicode_casefold = 2;
const CaseFold unicode_tolower[] = {{'A', 'Z', 'a' - 'A'}};
const int num_unicode_tolower = 1;
const UGroup unicode_groups[] = {{"", +1, nullptr, 0, nullptr, 0}};
const int num_unicode_groups = 0;

}  // namespace re2
