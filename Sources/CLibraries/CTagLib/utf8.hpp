#pragma once
#include <cstddef>
#include <string>

namespace ctaglib {

/// Returns the length of the UTF-8 sequence at an index; 0 if it is invalid or truncated.
size_t sequenceLength(const std::string &text, size_t index);

/// Returns the text with U+FFFD in place of each byte that belongs to no valid sequence.
std::string soundUTF8(const std::string &text);

/// Whether a text is empty, or only white space and NULs.
bool isBlank(const std::string &text);

}  // namespace ctaglib
