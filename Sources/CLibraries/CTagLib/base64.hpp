#pragma once
#include <optional>
#include <string>

namespace ctaglib {

/// Returns bytes as Base64 with padding.
std::string toBase64(const std::string &bytes);

/// Reads Base64 in a part of a text, with or without padding; white space is ignored. Nothing for other characters.
std::optional<std::string> fromBase64(const std::string &text, size_t start, size_t count);

}  // namespace ctaglib
