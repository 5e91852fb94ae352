#pragma once
#include "regular_file.hpp"
#include "tag_edits.hpp"

namespace ctaglib {

/// Computes the headers of an Ogg file with Opus or Vorbis, and ID3v2 tags in front of it: rewrite.leading, rewrite.keptStart and
/// the renumbering of the pages that are kept. Fields and pictures are written as comments; values that an ID3v2 tag has are
/// updated there, too, and none are added to it.
/// Throws FileFailure, UnsupportedTag, PictureTooLarge.
void rewriteOgg(const RegularFile &file, const TagEdits &edits, TagRewrite &rewrite);

}  // namespace ctaglib
