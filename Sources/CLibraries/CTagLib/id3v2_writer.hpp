#pragma once
#include "regular_file.hpp"
#include "tag_contents.hpp"
#include "tag_edits.hpp"

namespace ctaglib {

/// Computes the ID3v2 tags at the start of a file: rewrite.leading and rewrite.keptStart. Throws FileFailure, UnsupportedTag.
/// - addsMissing: whether to add fields that the tags do not have, and a tag to a file without one.
/// - lyricsCount: number of lyrics of the file before those in the tags.
/// - others: values of the file's other tags, which a new tag gets; null for those of the tags at the end of the file.
void rewriteID3v2(
    const RegularFile &file, const TagEdits &edits, TagRewrite &rewrite, bool addsMissing, size_t lyricsCount,
    const TagContents *others = nullptr);

}  // namespace ctaglib
