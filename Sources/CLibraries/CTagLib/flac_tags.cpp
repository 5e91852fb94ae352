// Parsed byte by byte here, so that sizes are checked before anything is read: a file may state any number of blocks.

#include "flac_tags.hpp"

#include <functional>

#include "comment_tags.hpp"
#include "flac_blocks.hpp"

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

}  // namespace

void readFLAC(const RegularFile &file, TagContents &contents) {
    forEachTagBlock(file, [&](const FLACBlock &block) {
        const std::string content = file.read(block.start, block.size);
        if (block.is(FLACBlockType::vorbisComment)) {
            contents.kinds |= CTAGLIB_HAS_VORBIS;
            readComments(content, CommentDialect::vorbis, contents);
        } else {
            readPictureBlock(content, contents);
        }
    });
}

std::vector<LyricsFrame> readFLACLyrics(const RegularFile &file) {
    std::vector<LyricsFrame> frames;
    size_t total = 0;
    forEachTagBlock(file, [&](const FLACBlock &block) {
        if (!block.is(FLACBlockType::vorbisComment)) return;
        const std::string content = file.read(block.start, block.size);
        readCommentLyrics(content, frames, total);
    });
    return frames;
}

}  // namespace ctaglib
