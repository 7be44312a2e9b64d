#include "analysis/ptx/trace/access_names.hpp"

#include <algorithm>
#include <cctype>

#include "analysis/ptx/program/line_names.hpp"

namespace rooftile::ptx {
namespace {

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// "A" of "load A[row][k]".
std::string array_in(const std::string& name) {
  const auto begin = name.begin() + static_cast<std::ptrdiff_t>(std::min(name.find(' ') + 1, name.size()));
  return {begin, std::find_if_not(begin, name.end(), is_letter)};
}

bool mentions(const std::string& line, const std::string& array) {
  const std::size_t at = line.find(array + "[");
  return !array.empty() && at != std::string::npos && (at == 0 || !is_letter(line[at - 1]));
}

LaneAddresses from_the_lowest(LaneAddresses addresses) {
  const auto less = [](const auto& a, const auto& b) { return a && (!b || *a < *b); };
  const std::optional<std::int64_t> lowest = *std::ranges::min_element(addresses, less);
  for (auto& address : addresses) {
    address = address ? std::optional(*address - *lowest) : std::nullopt;
  }
  return addresses;
}

struct Wanted {
  std::string name, array;
  bool shared, store;
  int width_bytes;
  LaneAddresses addresses;
};

std::vector<Wanted> wanted_of(const Model& stated) {
  std::vector<Wanted> all;
  for (const AccessModel& access : stated.accesses) {
    if (access.requests > 0) {
      all.push_back({access.name, access.array, true, access.store, access.width_bytes, access.addresses});
    }
  }
  for (const GlobalAccessModel& access : stated.global_accesses) {
    if (access.requests > 0) {
      all.push_back({access.name, array_in(access.name), false, access.kind == GlobalAccessKind::store,
                     access.width_bytes, access.addresses});
    }
  }
  return all;
}

int agreement(const BlockTrace& trace, const TracedAccess& access, const Wanted& wanted) {
  if (access.shared != wanted.shared || access.store != wanted.store || access.atomic) {
    return 0;
  }
  const bool same_array =
      access.shared
          ? mentions(access.line, wanted.array)
          : access.buffer >= 0 && trace.buffers[static_cast<std::size_t>(access.buffer)].name == wanted.array;
  const bool same_addresses =
      !access.steps[0].empty() && from_the_lowest(trace.requests.addresses(trace.request(access, 0, 0))) ==
                                      from_the_lowest(wanted.addresses);
  return 4 * (same_addresses ? 1 : 0) + 3 * (same_array ? 1 : 0) +
         (access.width_bytes == wanted.width_bytes ? 1 : 0);
}

// Accesses of one line that differ in width or buffer.
void tell_apart(std::vector<TracedAccess>& accesses) {
  UniqueNames of_shared, of_global;
  for (TracedAccess& access : accesses) {
    access.name = (access.shared ? of_shared : of_global).take(access.name);
  }
}

}  // namespace

void name_as_stated(BlockTrace& trace, const Model& stated) {
  std::vector<bool> named(trace.accesses.size());
  for (const Wanted& wanted : wanted_of(stated)) {
    std::size_t best = 0;
    int most = 1;  // a width alone says nothing
    for (std::size_t i = 0; i < named.size(); ++i) {
      const int agrees = named[i] ? 0 : agreement(trace, trace.accesses[i], wanted);
      best = agrees > most ? i : best;
      most = std::max(most, agrees);
    }
    if (most > 1) {
      named[best] = true;
      trace.accesses[best].name = wanted.name;
    }
  }
  tell_apart(trace.accesses);
}

}  // namespace rooftile::ptx
