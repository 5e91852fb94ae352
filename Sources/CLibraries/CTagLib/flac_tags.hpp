#pragma once
#include <cstdint>
#include <optional>

#include "regular_file.hpp"
#include "tag_contents.hpp"

namespace ctaglib {

/// Returns the offset of the first metadata block of a FLAC file, perhaps after ID3v2 tags; nothing for other files.
std::optional<uint64_t> findFLAC(const RegularFile &file);

/// Reads the Vorbis comments and the pictures of a FLAC file; nothing of other files.
void readFLAC(const RegularFile &file, TagContents &contents);

}  // namespace ctaglib
