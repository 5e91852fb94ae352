#pragma once
#include <cstdint>

#include "regular_file.hpp"
#include "tag_edits.hpp"

namespace ctaglib {

/// Computes the metadata of a FLAC file, and ID3v2 tags in front of it: rewrite.leading and rewrite.keptStart. Fields are
/// written as Vorbis comments; values that an ID3v2 tag has are updated there, too, and none are added to it.
/// - firstBlock: offset of the first metadata block.
/// Throws FileFailure, UnsupportedTag, PictureTooLarge.
void rewriteFLAC(const RegularFile &file, uint64_t firstBlock, const TagEdits &edits, TagRewrite &rewrite);

}  // namespace ctaglib
