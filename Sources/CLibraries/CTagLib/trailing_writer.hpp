#pragma once
#include "regular_file.hpp"
#include "tag_edits.hpp"

namespace ctaglib {

/// Computes the APE and ID3v1 tags at the end of a file: rewrite.trailing and rewrite.keptEnd. Existing values of edited fields
/// are updated; no tag, and no field of an APE tag, is added. Throws FileFailure, UnsupportedTag.
void rewriteTrailingTags(const RegularFile &file, const TagEdits &edits, TagRewrite &rewrite);

}  // namespace ctaglib
