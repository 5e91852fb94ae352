// Parsed byte by byte here, so that sizes are checked before anything is read.

#include "mp4_tags.hpp"

#include <functional>
#include <string>

#include "mp4_items.hpp"
#include "utf8.hpp"

namespace ctaglib {
namespace {

/// Calls a function for each item of the tags, with the content of the `moov` box that has them.
void forEachItem(
    const RegularFile &file, const std::function<void(const std::string &, const MP4Item &)> &visit) {
    if (!isMP4(file)) return;
    forEachAtom(file, [&](const MP4Atom &atom) {
        if (atom.type != "moov") return true;
        const uint64_t size = atom.end - atom.content;
        // Sample tables are part of it; a file of ten hours has a few megabytes of them.
        if (size > maximumTagBytes) return false;
        const std::string movie = file.read(atom.content, static_cast<size_t>(size));
        if (const auto list = findTagPath(movie, 0).list) {
            for (const MP4Item &item : itemsOf(movie, *list)) visit(movie, item);
        }
        return false;
    });
}

void readCover(const std::string &movie, const MP4Item &item, TagContents &contents) {
    for (const MP4Atom &value : item.values) {
        Picture picture;
        const auto start = static_cast<size_t>(value.start);
        picture.data = movie.substr(start + dataHeaderSize, value.size() - dataHeaderSize);
        switch (static_cast<MP4Value>(numberIn(movie, start + 8, 4) & 0xFF'FFFF)) {
        case MP4Value::jpeg: picture.mimeType = "image/jpeg"; break;
        case MP4Value::png: picture.mimeType = "image/png"; break;
        default: break;
        }
        // The first one is the cover.
        picture.isFrontCover = true;
        contents.offer(std::move(picture));
    }
}

}  // namespace

void readMP4(const RegularFile &file, TagContents &contents) {
    size_t textBytes = 0;
    // The number of a genre counts only without its name.
    std::vector<std::string> numberedGenres;
    forEachItem(file, [&](const std::string &movie, const MP4Item &item) {
        contents.kinds |= CTAGLIB_HAS_MP4;
        if (item.subject.isCover) return readCover(movie, item, contents);
        if (!item.subject.field) return;
        std::vector<std::string> values;
        for (const MP4Atom &value : item.values) {
            textBytes += value.size();
            if (textBytes > maximumTextBytesPerTag || values.size() >= maximumJoinedValues) break;
            const std::string text = soundUTF8(textOf(movie, item, value));
            if (!isBlank(text)) values.push_back(text);
        }
        if (item.atom.type == "gnre") {
            numberedGenres = values;
        } else {
            contents.add(*item.subject.field, values);
        }
    });
    contents.offer(CTAGLIB_GENRE, numberedGenres);
}

std::vector<LyricsFrame> readMP4Lyrics(const RegularFile &file) {
    std::vector<LyricsFrame> frames;
    size_t total = 0;
    forEachItem(file, [&](const std::string &movie, const MP4Item &item) {
        if (!item.subject.isLyrics) return;
        LyricsFrame frame;
        frame.kind = CTAGLIB_LYRICS_COMMENT;
        if (!item.values.empty()) {
            const MP4Atom &value = item.values.front();
            total += value.size();
            if (total <= maximumLyricsBytes) {
                frame.content = movie.substr(
                    static_cast<size_t>(value.start) + dataHeaderSize, value.size() - dataHeaderSize);
            }
        }
        frames.push_back(std::move(frame));
    });
    return frames;
}

}  // namespace ctaglib
