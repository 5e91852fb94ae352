#pragma once
#include "regular_file.hpp"
#include "tag_contents.hpp"

namespace ctaglib {

/// Reads the ID3v2 tags (2.2, 2.3, 2.4) that stand one after the other at the beginning of a file.
void readID3v2(const RegularFile &file, TagContents &contents);

}  // namespace ctaglib
