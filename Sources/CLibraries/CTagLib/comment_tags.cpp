#include "comment_tags.hpp"

#include <array>

#include "base64.hpp"
#include "flac_blocks.hpp"
#include "text_keys.hpp"
#include "utf8.hpp"

namespace ctaglib {
namespace {

/// Appends the total of a set to the number, as in "3/12".
void complete(std::vector<std::string> &numbers, const std::string &total) {
    if (total.empty()) return;
    if (numbers.empty()) numbers.emplace_back();
    if (numbers[0].find('/') == std::string::npos) numbers[0] += "/" + total;
}

}  // namespace

void readComments(const std::string &block, CommentDialect dialect, TagContents &contents) {
    TagContents own;
    // Values that are used only in addition to others, or without them.
    std::array<std::string, CTAGLIB_FIELD_COUNT> totals, fallbacks;
    size_t count = 0;
    size_t textBytes = 0;
    forEachComment(block, [&](const CommentExtent &comment) {
        if (++count > maximumFrames) return false;
        if (comment.size > maximumTextBytes) return true;
        const auto key = keySize(block, comment);
        if (!key) return true;
        const CommentSubject subject = subjectOfComment(block.substr(comment.start, *key), dialect);
        if (!subject.field) return true;
        textBytes += comment.size;
        if (textBytes > maximumTextBytesPerTag) return false;
        std::string value = soundUTF8(block.substr(comment.start + *key + 1, comment.size - *key - 1));
        if (subject.isOpusGain) value = replayGainOfOpus(value);
        if (isBlank(value)) return true;
        switch (subject.role) {
        case CommentSubject::Role::own: own.add(*subject.field, {value}); break;
        case CommentSubject::Role::total: totals[static_cast<size_t>(*subject.field)] = value; break;
        case CommentSubject::Role::fallback: fallbacks[static_cast<size_t>(*subject.field)] = value; break;
        }
        return true;
    });
    for (size_t index = 0; index < CTAGLIB_FIELD_COUNT; ++index) {
        const auto field = static_cast<ctaglib_field>(index);
        complete(own.values[index], totals[index]);
        own.offer(field, fallbacks[index]);
        contents.offer(field, own.values[index]);
    }
}

void readPictureBlock(const std::string &block, TagContents &contents) {
    // Type, MIME type, description, four numbers, and the picture; each text has its size in front.
    if (block.size() < 8) return;
    Picture found;
    found.isFrontCover = bigEndian(block, 0) == frontCover;
    size_t position = 4;
    for (int text = 0; text < 2; ++text) {
        if (block.size() - position < 4) return;
        const size_t size = bigEndian(block, position);
        position += 4;
        if (size > block.size() - position) return;
        if (text == 0) found.mimeType = block.substr(position, size);
        position += size;
    }
    if (found.mimeType == "-->" || block.size() - position < 20) return;  // a URL instead of a picture
    const size_t size = bigEndian(block, position + 16);
    position += 20;
    found.data = block.substr(position, size);
    contents.offer(std::move(found));
}

std::optional<PictureComment> pictureOfComment(const std::string &key) {
    const std::string name = lowercased(key);
    if (name == "metadata_block_picture") return PictureComment::block;
    if (name == "coverart") return PictureComment::oldPicture;
    if (name == "coverartmime" || name == "coverartdescription" || name == "coverarttype") {
        return PictureComment::oldDescription;
    }
    return std::nullopt;
}

void readCommentPictures(const std::string &block, TagContents &contents) {
    size_t count = 0;
    forEachComment(block, [&](const CommentExtent &comment) {
        if (++count > maximumFrames) return false;
        const auto key = keySize(block, comment);
        if (!key) return true;
        const auto kind = pictureOfComment(block.substr(comment.start, *key));
        if (!kind || *kind == PictureComment::oldDescription) return true;
        const auto content = fromBase64(block, comment.start + *key + 1, comment.size - *key - 1);
        if (!content) return true;
        if (*kind == PictureComment::block) {
            readPictureBlock(*content, contents);
        } else {
            Picture found;
            found.data = *content;
            contents.offer(std::move(found));
        }
        return true;
    });
}

void readCommentLyrics(const std::string &content, std::vector<LyricsFrame> &frames, size_t &total) {
    forEachComment(content, [&](const CommentExtent &comment) {
        const auto key = keySize(content, comment);
        if (!key || !subjectOfComment(content.substr(comment.start, *key)).isLyrics) return true;
        if (frames.size() == maximumFrames) return false;
        LyricsFrame frame;
        frame.kind = CTAGLIB_LYRICS_COMMENT;
        total += comment.size;
        if (total <= maximumLyricsBytes) {
            frame.content = content.substr(comment.start + *key + 1, comment.size - *key - 1);
        }
        frames.push_back(std::move(frame));
        return true;
    });
}

}  // namespace ctaglib
