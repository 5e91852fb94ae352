#pragma once
#include <array>
#include <cstddef>
#include <string>

#include "include/ctaglib.h"

namespace ctaglib {

/// No picture and no tag larger than this is read.
constexpr size_t maximumPictureBytes = 64u << 20;
/// A tag is a picture and some text; what lies beyond is not looked at.
constexpr size_t maximumTagBytes = maximumPictureBytes + (1u << 20);
/// A text frame or item beyond this is not a title or a comment. TagLib makes an object of each
/// NUL-separated part, so a megabyte of NULs would take hundreds of megabytes.
constexpr size_t maximumTextBytes = 64u << 10;
/// All texts of one tag together.
constexpr size_t maximumTextBytesPerTag = 512u << 10;
/// Frames or items of one tag.
constexpr size_t maximumFrames = 10'000;

/// A picture of a tag.
struct Picture {
    std::string mimeType;
    std::string data;
    bool isFrontCover = false;
};

/// What the tags of one file say, collected from the most to the least trusted tag.
struct TagContents {
    std::array<std::string, CTAGLIB_FIELD_COUNT> fields;
    /// Whether a text was made of several values.
    std::array<bool, CTAGLIB_FIELD_COUNT> areSeveral{};
    Picture picture;
    int kinds = 0;

    /// Keeps a text unless a more trusted tag has given one.
    void offer(ctaglib_field field, const std::string &text, bool hasSeveralValues = false) {
        std::string &slot = fields[static_cast<size_t>(field)];
        if (!slot.empty() || text.empty()) return;
        slot = text;
        areSeveral[static_cast<size_t>(field)] = hasSeveralValues;
    }

    /// Keeps a picture unless there is one already that is as good.
    void offer(Picture &&candidate) {
        if (candidate.data.empty() || candidate.data.size() > maximumPictureBytes) return;
        if (picture.data.empty() || (candidate.isFrontCover && !picture.isFrontCover)) {
            picture = std::move(candidate);
        }
    }
};

}  // namespace ctaglib
