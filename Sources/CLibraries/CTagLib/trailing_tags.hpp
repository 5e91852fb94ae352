#pragma once
#include "regular_file.hpp"
#include "tag_contents.hpp"

namespace ctaglib {

/// Reads the tags at the end of a file: APE (1 and 2), then ID3v1 and 1.1.
void readTrailingTags(const RegularFile &file, TagContents &contents);

}  // namespace ctaglib
