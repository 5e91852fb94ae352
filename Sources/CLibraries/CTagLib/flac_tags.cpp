// Parsed byte by byte here, so that sizes are checked before anything is read: a file may state any number of blocks.

#include "flac_tags.hpp"

#include <array>
#include <functional>

#include "flac_blocks.hpp"
#include "utf8.hpp"
#include "vorbis_comments.hpp"

namespace ctaglib {
namespace {

/// Calls a function for each block with comments or a picture.
void forEachTagBlock(const RegularFile &file, const std::function<void(const FLACBlock &)> &visit) {
    auto position = findFLAC(file);
    if (!position) return;
    size_t budget = maximumTagBytes;
    for (int count = 0; count < maximumBlocks; ++count) {
        const auto block = blockAt(file, *position);
        if (!block) return;
        const bool isTag = block->is(FLACBlockType::vorbisComment) || block->is(FLACBlockType::picture);
        if (isTag && block->size <= budget) {
            budget -= block->size;
            visit(*block);
        }
        if (block->isLast) return;
        position = block->end();
    }
}

/// Appends the total of a set to the number, as in "3/12".
void complete(std::vector<std::string> &numbers, const std::string &total) {
    if (total.empty()) return;
    if (numbers.empty()) numbers.emplace_back();
    if (numbers[0].find('/') == std::string::npos) numbers[0] += "/" + total;
}

void readComments(const std::string &block, TagContents &contents) {
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
        const CommentSubject subject = subjectOfComment(block.substr(comment.start, *key));
        if (!subject.field) return true;
        textBytes += comment.size;
        if (textBytes > maximumTextBytesPerTag) return false;
        const std::string value = soundUTF8(block.substr(comment.start + *key + 1, comment.size - *key - 1));
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

void readPicture(const std::string &block, TagContents &contents) {
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

}  // namespace

void readFLAC(const RegularFile &file, TagContents &contents) {
    forEachTagBlock(file, [&](const FLACBlock &block) {
        const std::string content = file.read(block.start, block.size);
        if (block.is(FLACBlockType::vorbisComment)) {
            contents.kinds |= CTAGLIB_HAS_VORBIS;
            readComments(content, contents);
        } else {
            readPicture(content, contents);
        }
    });
}

std::vector<LyricsFrame> readFLACLyrics(const RegularFile &file) {
    std::vector<LyricsFrame> frames;
    size_t total = 0;
    forEachTagBlock(file, [&](const FLACBlock &block) {
        if (!block.is(FLACBlockType::vorbisComment)) return;
        const std::string content = file.read(block.start, block.size);
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
    });
    return frames;
}

}  // namespace ctaglib
