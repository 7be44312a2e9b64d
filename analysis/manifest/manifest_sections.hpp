// The sections of a kernel.toml. Each is read into the manifest, which already holds the sections declared
// above it, and tells its mistakes.
#pragma once

#include "analysis/manifest/manifest_fields.hpp"

namespace rooftile {

void read_parameters(const TomlTable& file, Manifest& manifest);
// The expressions that the names in [let] stand for, by name. parameters: their names.
Substitutes read_lets(const TomlTable& file, const Names& parameters);
void read_constraints(const TomlTable& file, const Scope& scope, Manifest& manifest);

// Buffers, variables of the source, and the views that TMA has of buffers.
void read_buffers(const TomlTable& file, const Scope& scope, Manifest& manifest);
void read_globals(const TomlTable& file, const Scope& scope, Manifest& manifest);
void read_tensor_maps(const TomlTable& file, const Scope& scope, Manifest& manifest);

void read_launch(const TomlTable& table, const Scope& scope, Manifest& manifest);
// Values that these do not state follow from the buffers: work is the outputs, and each buffer is moved once.
void read_work(const TomlTable& file, const Scope& scope, Manifest& manifest);
void read_traffic(const TomlTable& file, const Scope& scope, Manifest& manifest);
// `verify` is a section, or the file of an earlier version of the same kernel.
void read_verify_rule(const TomlTable& file, const Scope& scope, const ReadFile& read, Manifest& manifest);

}  // namespace rooftile
