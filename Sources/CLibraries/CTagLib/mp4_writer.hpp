#pragma once
#include "regular_file.hpp"
#include "tag_edits.hpp"

namespace ctaglib {

/// Computes an MP4 file with edited tags. The box with the index, `moov`, is rewritten; all other boxes and all items that are not
/// edited keep their bytes. Where the audio moves, the offsets of the sample tables are changed.
/// Throws FileFailure, and UnsupportedTag for damaged boxes and for fragments whose offsets would have to change.
void rewriteMP4(const RegularFile &file, const TagEdits &edits, TagRewrite &rewrite);

}  // namespace ctaglib
