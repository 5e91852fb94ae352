#include "ogg_tags.hpp"

#include "comment_tags.hpp"
#include "ogg_pages.hpp"

namespace ctaglib {

void readOgg(const RegularFile &file, TagContents &contents) {
    const auto comments = readOggComments(file, false);
    if (!comments) return;
    const std::string block = comments->packets[0].substr(comments->prefixSize());
    contents.kinds |= CTAGLIB_HAS_VORBIS;
    readComments(block, comments->dialect, contents);
    readCommentPictures(block, contents);
}

std::vector<LyricsFrame> readOggLyrics(const RegularFile &file) {
    std::vector<LyricsFrame> frames;
    size_t total = 0;
    if (const auto comments = readOggComments(file, false)) {
        readCommentLyrics(comments->packets[0].substr(comments->prefixSize()), frames, total);
    }
    return frames;
}

}  // namespace ctaglib
