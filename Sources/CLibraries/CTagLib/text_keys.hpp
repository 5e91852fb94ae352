#pragma once
#include <optional>
#include <string>

#include "include/ctaglib.h"

namespace ctaglib {

/// The field that a free-form key names, in ID3v2's TXXX frames and APE items alike. Case does not count.
std::optional<ctaglib_field> fieldOfKey(const std::string &key);

/// ASCII letters made small.
std::string lowercased(std::string text);

}  // namespace ctaglib
