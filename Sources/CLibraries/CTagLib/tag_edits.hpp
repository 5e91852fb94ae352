#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "id3v2_lyrics.hpp"
#include "include/ctaglib.h"
#include "tag_contents.hpp"

namespace ctaglib {

/// A change to a text.
struct TextChange {
    bool isRemoval = false;
    std::string text;
};

enum class CoverChange { leave, set, remove };

/// Changes to the tags of a file. Everything else is kept.
struct TagEdits {
    std::array<std::optional<TextChange>, CTAGLIB_FIELD_COUNT> texts;
    CoverChange cover = CoverChange::leave;
    Picture picture;
    LyricsEdits lyrics;
};

/// A file with edited tags: new bytes, a range of the old file's bytes, new bytes. Pages of Ogg in that range may be renumbered.
struct TagRewrite {
    std::string leading;
    uint64_t keptStart = 0;
    uint64_t keptEnd = 0;
    std::string trailing;
    bool isChanged = false;
    ctaglib_container container = CTAGLIB_MPEG;
    /// By how much the numbers of the pages of a stream of Ogg rise in the range that is kept.
    uint32_t pageShift = 0;
    /// That stream.
    uint32_t pageSerial = 0;
};

/// A tag that cannot be edited without losing data.
struct UnsupportedTag {};

/// A picture that the file's format has no room for.
struct PictureTooLarge {};

/// Whether a tag's text already has the requested value: the same text, the same number with leading zeros, or a date in that year.
bool states(const std::string &current, ctaglib_field field, const std::string &asked);

}  // namespace ctaglib
