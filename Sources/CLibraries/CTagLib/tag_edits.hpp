#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "id3v2_lyrics.hpp"
#include "include/ctaglib.h"
#include "tag_contents.hpp"

namespace ctaglib {

/// What is to become of a text.
struct TextChange {
    bool isRemoval = false;
    std::string text;
};

enum class CoverChange { leave, set, remove };

/// What is to become of the tags of a file. What is not named stays.
struct TagEdits {
    std::array<std::optional<TextChange>, CTAGLIB_FIELD_COUNT> texts;
    CoverChange cover = CoverChange::leave;
    Picture picture;
    LyricsEdits lyrics;
};

/// A file with other tags: new bytes, a run of the old file's, new bytes.
struct TagRewrite {
    std::string leading;
    uint64_t keptStart = 0;
    uint64_t keptEnd = 0;
    std::string trailing;
    bool isChanged = false;
};

/// A tag that cannot be edited without losing something.
struct UnsupportedTag {};

}  // namespace ctaglib
