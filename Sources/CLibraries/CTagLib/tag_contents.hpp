#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "include/ctaglib.h"

namespace ctaglib {

/// Maximum size of a picture.
constexpr size_t maximumPictureBytes = 64u << 20;
/// Maximum size of a tag: a picture and some text; anything beyond is ignored.
constexpr size_t maximumTagBytes = maximumPictureBytes + (1u << 20);
/// A larger text frame or item is not a title or a comment. TagLib creates an object for each NUL-separated part, so a megabyte
/// of NULs would take hundreds of megabytes.
constexpr size_t maximumTextBytes = 64u << 10;
/// Maximum size of all texts in one tag.
constexpr size_t maximumTextBytesPerTag = 512u << 10;
/// Maximum number of values from repeated frames.
constexpr size_t maximumJoinedValues = 100;
/// Maximum number of frames or items in a tag.
constexpr size_t maximumFrames = 10'000;

/// A picture in a tag.
struct Picture {
    std::string mimeType;
    std::string data;
    bool isFrontCover = false;
};

/// The tags of one file, collected from the most to the least trusted tag.
struct TagContents {
    /// All values of a field as one text, joined by "; ".
    std::array<std::string, CTAGLIB_FIELD_COUNT> fields;
    /// The separate values of a field, none of them empty.
    std::array<std::vector<std::string>, CTAGLIB_FIELD_COUNT> values;
    Picture picture;
    int kinds = 0;

    /// Sets values unless a more trusted tag has provided some.
    void offer(ctaglib_field field, const std::vector<std::string> &offered) {
        if (values[static_cast<size_t>(field)].empty()) add(field, offered);
    }

    /// Sets a single value unless a more trusted tag has provided one.
    void offer(ctaglib_field field, const std::string &text) {
        if (!text.empty()) offer(field, std::vector<std::string>{text});
    }

    /// Appends values, without duplicates of earlier ones and up to a limit.
    void add(ctaglib_field field, const std::vector<std::string> &added) {
        auto &kept = values[static_cast<size_t>(field)];
        std::string &text = fields[static_cast<size_t>(field)];
        const size_t countBefore = kept.size();
        for (const std::string &value : added) {
            if (countBefore > 0
                && (kept.size() >= maximumJoinedValues
                    || std::find(kept.begin(), kept.end(), value) != kept.end())) {
                continue;
            }
            kept.push_back(value);
            if (!text.empty()) text += "; ";
            text += value;
        }
    }

    /// Sets the picture unless there already is one that is as good.
    void offer(Picture &&candidate) {
        if (candidate.data.empty() || candidate.data.size() > maximumPictureBytes) return;
        if (picture.data.empty() || (candidate.isFrontCover && !picture.isFrontCover)) {
            picture = std::move(candidate);
        }
    }
};

}  // namespace ctaglib
