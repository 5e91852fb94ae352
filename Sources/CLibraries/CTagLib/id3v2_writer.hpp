#pragma once
#include "regular_file.hpp"
#include "tag_edits.hpp"

namespace ctaglib {

/// Works out the ID3v2 tags at the beginning of a file: rewrite.leading and rewrite.keptStart. Throws
/// FileFailure, UnsupportedTag.
void rewriteID3v2(const RegularFile &file, const TagEdits &edits, TagRewrite &rewrite);

}  // namespace ctaglib
