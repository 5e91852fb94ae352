#pragma once
#include "regular_file.hpp"
#include "tag_edits.hpp"

namespace ctaglib {

/// Computes the ID3v2 tags at the start of a file: rewrite.leading and rewrite.keptStart. Throws FileFailure, UnsupportedTag.
void rewriteID3v2(const RegularFile &file, const TagEdits &edits, TagRewrite &rewrite);

}  // namespace ctaglib
