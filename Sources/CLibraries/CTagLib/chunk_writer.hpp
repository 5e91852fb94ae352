#pragma once
#include "chunks.hpp"
#include "tag_edits.hpp"

namespace ctaglib {

/// Computes a WAV or AIFF file with edited tags: fields, cover and lyrics in its chunk of ID3v2, which is added at the end
/// of a file without one; texts of RIFF INFO and AIFF are updated where they exist. All other chunks keep their bytes and their order.
/// Throws FileFailure, UnsupportedTag.
void rewriteChunks(const RegularFile &file, const ChunkLayout &layout, const TagEdits &edits, TagRewrite &rewrite);

}  // namespace ctaglib
