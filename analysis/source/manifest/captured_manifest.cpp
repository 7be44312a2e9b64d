#include "analysis/source/manifest/captured_manifest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

namespace rooftile {
namespace {

constexpr std::size_t pointer_bytes = 8;

std::string hex_of(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return text;
}

// A symbol may hold any letters.
std::string in_quotes(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    const bool is_plain = c != '"' && c != '\\' && static_cast<unsigned char>(c) >= ' ';
    all += is_plain ? std::string(1, c) : fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
  }
  return all + '"';
}

template <class Number>
Number value_as(const std::string& bytes) {
  Number value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// The numbers that bytes may stand for.
std::string reading_of(const std::string& bytes) {
  switch (bytes.size()) {
    case 1:
      return fmt::format("  # char {}", static_cast<int>(bytes[0]));
    case 2:
      return fmt::format("  # short {}", value_as<std::int16_t>(bytes));
    case 4:
      return fmt::format("  # int {} or float {}", value_as<std::int32_t>(bytes), value_as<float>(bytes));
    case 8:
      return fmt::format("  # long long {} or double {}", value_as<std::int64_t>(bytes),
                         value_as<double>(bytes));
    default:
      return "";
  }
}

std::string at_place(std::size_t at) {
  return at > 0 ? fmt::format(", at = {}", at) : "";
}

std::string buffer_words(const CapturedPointer& pointer) {
  return fmt::format("buffer = \"b{}\"{}", pointer.buffer,
                     pointer.offset > 0 ? fmt::format(", offset = {}", pointer.offset) : "");
}

std::string struct_words(const CapturedParameter& parameter) {
  std::vector<std::string> members;
  std::size_t end = 0;
  const auto add_bytes_up_to = [&](std::size_t next) {
    if (next > end) {
      members.push_back(
          fmt::format("{{ hex = \"{}\"{} }}", hex_of(parameter.bytes.substr(end, next - end)), at_place(end)));
    }
  };
  for (const CapturedPointer& pointer : parameter.pointers) {
    add_bytes_up_to(pointer.at);
    members.push_back(fmt::format("{{ {}{} }}", buffer_words(pointer), at_place(pointer.at)));
    end = pointer.at + pointer_bytes;
  }
  add_bytes_up_to(parameter.bytes.size());
  return fmt::format("{{ struct = [{}], bytes = {} }}", fmt::join(members, ", "), parameter.bytes.size());
}

std::string argument_line(const CapturedParameter& parameter) {
  if (parameter.pointers.empty()) {
    return fmt::format("  {{ hex = \"{}\" }},{}\n", hex_of(parameter.bytes), reading_of(parameter.bytes));
  }
  return parameter.bytes.size() == pointer_bytes
             ? fmt::format("  {{ {} }},\n", buffer_words(parameter.pointers.front()))
             : fmt::format("  {},\n", struct_words(parameter));
}

std::string captured_heading(const CapturedLaunch& launch) {
  std::string all =
      "# A launch that a program made: code, arguments and memory were written down as they were.\n";
  if (!launch.source.empty()) {
    all += fmt::format("{}{}\n", captured_source_remark, launch.source);
  }
  for (const std::string& remark : launch.remarks) {
    all += fmt::format("# {}\n", remark);
  }
  all += fmt::format("title = {}\nshort_title = {}\ngroup = \"Captured\"\nsource = \"{}\"\nentry = {}\n",
                     in_quotes(launch.name), in_quotes(launch.short_name), captured_code,
                     in_quotes(launch.symbol));
  return all + fmt::format("minimum_cc = \"{}.{}\"\n", launch.cc.major, launch.cc.minor);
}

// The dial of a block along x: the grid covers as many threads. A kernel that does not read blockDim gives
// another result then, which is told.
bool has_block_dial(const Launch& launch) {
  return launch.block.y == 1 && launch.block.z == 1 && launch.cluster.count() == 1 && !launch.cooperative;
}

std::string dial_sections(const Launch& launch) {
  std::string all;
  if (has_block_dial(launch)) {
    std::vector<int> values = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, launch.block.x};
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    all += fmt::format(
        "\n{}[[parameter]]\nname = \"BLOCK\"\nlabel = \"Threads per block\"\nwhere = \"launch\"\nvalues = "
        "[{}]\n"
        "default = {}\n",
        captured_block_remark, fmt::join(values, ", "), launch.block.x);
  }
  return all + fmt::format(
                   "\n[[parameter]]\nname = \"CARVEOUT\"\nlabel = \"Shared memory of an SM\"\nunit = \"%\"\n"
                   "where = \"launch\"\nvalues = [-1, 0, 25, 50, 75, 100]\nrange = [-1, 100]\ndefault = {}\n",
                   launch.carveout_percent.value_or(-1));
}

std::string buffer_sections(const CapturedLaunch& launch) {
  std::string all;
  for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
    all += fmt::format(
        "\n[[buffer]]\nname = \"b{}\"\nelement = \"char\"\ncount = {}\nrole = \"{}\"\nfile = \"{}\"\n", i,
        launch.buffers[i].bytes, launch.buffers[i].is_written ? "in_out" : "input", contents_before(i));
  }
  for (std::size_t i = 0; i < launch.globals.size(); ++i) {
    all += fmt::format("\n[[global]]\nname = {}\nelement = \"char\"\nfile = \"{}\"\n",
                       in_quotes(launch.globals[i]), contents_of_global(i));
  }
  return all;
}

std::string verify_section(const CapturedLaunch& launch) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
    if (launch.buffers[i].is_written) {
      files.push_back(fmt::format("\"{}\"", contents_after(i)));
    }
  }
  return files.empty() ? "" : fmt::format("\n[verify]\nfiles = [{}]\n", fmt::join(files, ", "));
}

std::string list_of(const Dim3& all) {
  return fmt::format("[{}, {}, {}]", all.x, all.y, all.z);
}

std::string launch_section(const CapturedLaunch& captured) {
  const Launch& launch = captured.launch;
  std::string all = "\n[launch]\narguments = [\n";
  for (const CapturedParameter& parameter : captured.parameters) {
    all += argument_line(parameter);
  }
  all += has_block_dial(launch)
             ? fmt::format("]\ngrid = [\"ceil_div({}, BLOCK)\", {}, {}]\nblock = [\"BLOCK\"]\n",
                           std::int64_t{1} * launch.grid.x * launch.block.x, launch.grid.y, launch.grid.z)
             : fmt::format("]\ngrid = {}\nblock = {}\n", list_of(launch.grid), list_of(launch.block));
  if (launch.cluster.count() > 1) {
    all += fmt::format("cluster = {}\n", list_of(launch.cluster));
  }
  all += launch.cooperative ? "cooperative = true\n" : "";
  return all + fmt::format("dynamic_shared_bytes = {}\ncarveout = \"CARVEOUT\"\n", launch.dynamic_shared_bytes);
}

}  // namespace

std::string contents_before(std::size_t buffer) {
  return fmt::format("b{}.npy", buffer);
}

std::string contents_after(std::size_t buffer) {
  return fmt::format("b{}_after.npy", buffer);
}

std::string contents_of_global(std::size_t global) {
  return fmt::format("g{}.npy", global);
}

std::string captured_manifest(const CapturedLaunch& launch) {
  return captured_heading(launch) + dial_sections(launch.launch) + buffer_sections(launch) +
         launch_section(launch) + verify_section(launch);
}

}  // namespace rooftile
