#include "analysis/ptx/text/ptx_names.hpp"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <charconv>
#include <string>
#include <unordered_map>
#include <vector>

namespace rooftile::ptx {
namespace {

const std::unordered_map<std::string_view, Special>& specials() {
  static const std::unordered_map<std::string_view, Special> all = [] {
    std::unordered_map<std::string_view, Special> names = {{"%laneid", Special::laneid},
                                                           {"%warpid", Special::warpid},
                                                           {"%nwarpid", Special::nwarpid},
                                                           {"%lanemask_eq", Special::lanemask_eq},
                                                           {"%lanemask_le", Special::lanemask_le},
                                                           {"%lanemask_lt", Special::lanemask_lt},
                                                           {"%lanemask_ge", Special::lanemask_ge},
                                                           {"%lanemask_gt", Special::lanemask_gt},
                                                           {"%cluster_ctarank", Special::cluster_ctarank},
                                                           {"%cluster_nctarank", Special::cluster_nctarank},
                                                           {"%dynamic_smem_size", Special::dynamic_smem_size},
                                                           {"%envreg1", Special::half_of_grid_workspace},
                                                           {"%envreg2", Special::half_of_grid_workspace}};
    for (const auto* name :
         {"%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi", "%smid",
          "%nsmid", "%gridid", "%is_explicit_cluster", "%total_smem_size", "%aggr_smem_size"}) {
      names[name] = Special::zero;
    }
    constexpr std::pair<const char*, Special> of_axes[] = {{"%tid", Special::tid_x},
                                                           {"%ntid", Special::ntid_x},
                                                           {"%ctaid", Special::ctaid_x},
                                                           {"%nctaid", Special::nctaid_x},
                                                           {"%cluster_ctaid", Special::cluster_ctaid_x},
                                                           {"%cluster_nctaid", Special::cluster_nctaid_x},
                                                           {"%clusterid", Special::clusterid_x},
                                                           {"%nclusterid", Special::nclusterid_x}};
    static std::vector<std::string> texts;
    texts.reserve(3 * std::size(of_axes));
    for (const auto& [name, first] : of_axes) {
      for (int axis = 0; axis < 3; ++axis) {
        texts.push_back(fmt::format("{}.{}", name, "xyz"[axis]));
        names[texts.back()] = static_cast<Special>(static_cast<int>(first) + axis);
      }
    }
    return names;
  }();
  return all;
}

}  // namespace

std::optional<Special> special_named(std::string_view word) {
  const auto found = specials().find(word);
  return found == specials().end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint64_t> number_named(std::string_view word, Type type) {
  if (word == "WARP_SZ") {
    return 32;
  }
  if (word.empty() || std::isdigit(static_cast<unsigned char>(word[0])) == 0) {
    return std::nullopt;
  }
  if (word.ends_with('U')) {
    word.remove_suffix(1);
  }
  const char letter = word.size() > 2 && word[0] == '0' ? static_cast<char>(std::tolower(word[1])) : '0';
  const int base = letter == 'x' || letter == 'f' || letter == 'd' ? 16 : letter == 'b' ? 2 : 10;
  const std::string_view digits = base == 10 ? word : word.substr(2);
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  if (const auto read = std::from_chars(digits.data(), end, value, base);
      read.ec == std::errc{} && read.ptr == end) {
    return value;
  }
  double decimal = 0;
  if (std::from_chars(word.data(), word.data() + word.size(), decimal).ec != std::errc{}) {
    return std::nullopt;
  }
  return type.bytes == 8 ? std::bit_cast<std::uint64_t>(decimal)
                         : std::bit_cast<std::uint32_t>(static_cast<float>(decimal));
}

}  // namespace rooftile::ptx
