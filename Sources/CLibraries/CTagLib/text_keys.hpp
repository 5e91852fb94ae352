#pragma once
#include <optional>
#include <string>

#include "include/ctaglib.h"

namespace ctaglib {

/// Returns the field for a free-form key, as used in ID3v2's TXXX frames and APE items. Case-insensitive.
std::optional<ctaglib_field> fieldOfKey(const std::string &key);

/// Converts ASCII letters to lower case.
std::string lowercased(std::string text);

}  // namespace ctaglib
