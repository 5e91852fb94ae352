#include "vorbis_comments.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

#include "text_keys.hpp"
#include "trailing_tags.hpp"

namespace ctaglib {

CommentSubject subjectOfComment(const std::string &key) {
    using Role = CommentSubject::Role;
    static const std::unordered_map<std::string, CommentSubject> subjects = {
        {"title", {CTAGLIB_TITLE}},
        {"artist", {CTAGLIB_ARTIST}},
        {"album", {CTAGLIB_ALBUM}},
        {"tracknumber", {CTAGLIB_TRACK}},
        {"tracktotal", {CTAGLIB_TRACK, Role::total}},
        {"totaltracks", {CTAGLIB_TRACK, Role::total}},
        {"discnumber", {CTAGLIB_DISC}},
        {"disctotal", {CTAGLIB_DISC, Role::total}},
        {"totaldiscs", {CTAGLIB_DISC, Role::total}},
        {"date", {CTAGLIB_DATE}},
        {"year", {CTAGLIB_DATE, Role::fallback}},
        {"genre", {CTAGLIB_GENRE}},
        {"composer", {CTAGLIB_COMPOSER}},
        {"comment", {CTAGLIB_COMMENT}},
        {"description", {CTAGLIB_COMMENT, Role::fallback}},
        {"lyrics", {std::nullopt, Role::own, true}},
        {"unsyncedlyrics", {std::nullopt, Role::own, true}},
        {"unsynced lyrics", {std::nullopt, Role::own, true}},
        {"syncedlyrics", {std::nullopt, Role::own, true}},
    };
    const auto found = subjects.find(lowercased(key));
    if (found != subjects.end()) return found->second;
    return {fieldOfKey(key)};
}

std::optional<size_t> forEachComment(
    const std::string &block, const std::function<bool(const CommentExtent &)> &visit) {
    // The vendor's name, the number of comments, and the comments; each text has its size in front.
    if (block.size() < 8) return std::nullopt;
    const size_t vendorSize = littleEndian(block, 0);
    if (vendorSize > block.size() - 8) return std::nullopt;
    const size_t count = littleEndian(block, 4 + vendorSize);
    size_t position = 8 + vendorSize;
    for (size_t comment = 0; comment < count; ++comment) {
        if (block.size() - position < 4) return std::nullopt;
        const size_t size = littleEndian(block, position);
        position += 4;
        if (size > block.size() - position) return std::nullopt;
        if (!visit({position, size})) return std::nullopt;
        position += size;
    }
    return position;
}

std::optional<size_t> keySize(const std::string &block, const CommentExtent &comment) {
    const auto start = block.begin() + static_cast<std::ptrdiff_t>(comment.start);
    const auto end = start + static_cast<std::ptrdiff_t>(comment.size);
    const auto sign = std::find(start, end, '=');
    if (sign == end) return std::nullopt;
    return static_cast<size_t>(sign - start);
}

void appendLittleEndian(std::string &bytes, size_t value) {
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
}

}  // namespace ctaglib
