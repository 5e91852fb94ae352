#pragma once
#include <cstddef>
#include <string>

namespace ctaglib {

/// The length of the UTF-8 sequence at a place; 0 if it is not sound, or cut off by the end.
size_t sequenceLength(const std::string &text, size_t index);

/// The text with U+FFFD in place of each byte that belongs to no sound sequence.
std::string soundUTF8(const std::string &text);

}  // namespace ctaglib
