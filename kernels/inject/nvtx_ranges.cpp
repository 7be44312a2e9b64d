#include "kernels/inject/nvtx_ranges.hpp"

#include <cupti_nvtx_cbid.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <ranges>

namespace rooftile::inject {

// The head of nvtxEventAttributes_t and the arguments of the calls as generated_nvtx_meta.h has them. That
// header needs the headers of NVTX, which CUPTI comes without.
struct EventAttributes {
  std::uint16_t version, size;
  std::uint32_t category;
  std::int32_t colour_type;
  std::uint32_t colour;
  std::int32_t payload_type, reserved;
  std::uint64_t payload;
  std::int32_t message_type;
  const void* message;
};

namespace {

constexpr std::int32_t message_ascii = 1, message_registered = 3;

struct Text {
  const char* text;
};
struct Event {
  const EventAttributes* attributes;
};
struct InDomain {
  const void* domain;
};
struct EventInDomain {
  const void* domain;
  const EventAttributes* attributes;
};
struct TextInDomain {
  const void* domain;
  const char* text;
};

struct OpenRange {
  const void* domain;  // null: the one without a name
  bool is_meant;
  std::string name;
};
thread_local std::vector<OpenRange> open_ranges;

void pop(const void* domain) {
  const auto last = std::ranges::find(open_ranges | std::views::reverse, domain, &OpenRange::domain);
  if (last != open_ranges.rend()) {  // else it was pushed before anybody looked
    open_ranges.erase(std::next(last).base());
  }
}

template <class Arguments>
const Arguments& arguments_of(const CUpti_NvtxData& call) {
  return *static_cast<const Arguments*>(call.functionParams);
}

}  // namespace

const std::vector<CUpti_CallbackId>& NvtxRanges::calls() {
  static const std::vector<CUpti_CallbackId> ids = {
      CUPTI_CBID_NVTX_nvtxRangePushA,           CUPTI_CBID_NVTX_nvtxRangePushW,
      CUPTI_CBID_NVTX_nvtxRangePushEx,          CUPTI_CBID_NVTX_nvtxRangePop,
      CUPTI_CBID_NVTX_nvtxDomainRangePushEx,    CUPTI_CBID_NVTX_nvtxDomainRangePop,
      CUPTI_CBID_NVTX_nvtxDomainRegisterStringA};
  return ids;
}

void NvtxRanges::called(CUpti_CallbackId id, const CUpti_NvtxData& call) {
  switch (id) {
    case CUPTI_CBID_NVTX_nvtxRangePushA: {
      const char* text = arguments_of<Text>(call).text;
      push(nullptr, text != nullptr ? text : "");
      break;
    }
    case CUPTI_CBID_NVTX_nvtxRangePushW:
      push(nullptr, "");
      break;
    case CUPTI_CBID_NVTX_nvtxRangePushEx:
      push(nullptr, name_of(*arguments_of<Event>(call).attributes));
      break;
    case CUPTI_CBID_NVTX_nvtxDomainRangePushEx: {
      const auto& [domain, attributes] = arguments_of<EventInDomain>(call);
      push(domain, name_of(*attributes));
      break;
    }
    case CUPTI_CBID_NVTX_nvtxRangePop:
      pop(nullptr);
      break;
    case CUPTI_CBID_NVTX_nvtxDomainRangePop:
      pop(arguments_of<InDomain>(call).domain);
      break;
    case CUPTI_CBID_NVTX_nvtxDomainRegisterStringA:
      if (call.functionReturnValue != nullptr) {
        remember(*static_cast<const void* const*>(call.functionReturnValue),
                 arguments_of<TextInDomain>(call).text);
      }
      break;
    default:
      break;
  }
}

bool NvtxRanges::inside() const {
  return std::ranges::any_of(open_ranges, &OpenRange::is_meant);
}

std::string NvtxRanges::path() const {
  return fmt::format("{}", fmt::join(open_ranges | std::views::transform(&OpenRange::name), "/"));
}

void NvtxRanges::push(const void* domain, const std::string& text) {
  const std::string name = text.substr(0, std::min(text.find(", seq = "), text.find(", op_id = ")));
  open_ranges.push_back({domain, means_(name), name});
}

void NvtxRanges::remember(const void* handle, const char* name) {
  const std::lock_guard lock(names_mutex_);
  names_[handle] = name != nullptr ? name : "";
}

std::string NvtxRanges::name_of(const EventAttributes& attributes) {
  if (attributes.message == nullptr) {
    return "";
  }
  if (attributes.message_type == message_ascii) {
    return static_cast<const char*>(attributes.message);
  }
  const std::lock_guard lock(names_mutex_);
  const auto known = names_.find(attributes.message);
  return attributes.message_type == message_registered && known != names_.end() ? known->second : "";
}

}  // namespace rooftile::inject
