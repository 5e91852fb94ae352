// The blocks are assembled here, since TagLib's own writer sorts comments by name, merges several blocks of comments, and drops
// blocks that it considers damaged.

#include "flac_writer.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "comment_editor.hpp"
#include "flac_blocks.hpp"
#include "flac_tags.hpp"
#include "id3v2_writer.hpp"
#include "vorbis_comments.hpp"

namespace ctaglib {
namespace {

/// Padding of metadata that must grow: room for later edits by any program.
constexpr size_t newPadding = 8192;
/// Maximum padding before it is shrunk.
constexpr size_t maximumPadding = 64u << 10;
/// RFC 9639 §8.2.
constexpr size_t streamInfoSize = 34;

/// A metadata block and its content.
struct Block {
    int type;
    std::string content;

    bool is(FLACBlockType other) const { return type == static_cast<int>(other); }
};

Block makeBlock(FLACBlockType type, std::string content) { return {static_cast<int>(type), std::move(content)}; }

/// Replaces, adds or removes the front cover. Without a front cover, the first picture of type "other" counts as such, since it
/// is written by programs that do not support types.
std::vector<Block> withCover(std::vector<Block> blocks, const TagEdits &edits) {
    if (edits.cover == CoverChange::leave) return blocks;
    const auto isOfType = [](const Block &block, uint32_t type) {
        return block.is(FLACBlockType::picture) && block.content.size() >= 4 && bigEndian(block.content, 0) == type;
    };
    const bool hasFront =
        std::any_of(blocks.begin(), blocks.end(), [&](const Block &block) { return isOfType(block, frontCover); });
    bool isDone = false;
    bool isWritten = false;
    std::vector<Block> result;
    const auto write = [&] {
        if (edits.cover != CoverChange::set || std::exchange(isWritten, true)) return;
        result.push_back(makeBlock(FLACBlockType::picture, pictureBlock(edits.picture, maximumBlockSize)));
    };
    for (Block &block : blocks) {
        const bool isCover = hasFront ? isOfType(block, frontCover) : !isDone && isOfType(block, 0);
        if (isCover) {
            isDone = true;
            write();
        } else {
            result.push_back(std::move(block));
        }
    }
    write();
    return result;
}

std::vector<Block> withComments(std::vector<Block> blocks, const TagEdits &edits) {
    const auto isComments = [](const Block &block) { return block.is(FLACBlockType::vorbisComment); };
    CommentEditor editor(edits, CommentDialect::vorbis);
    for (const Block &block : blocks) {
        if (isComments(block)) editor.prepare(block.content);
    }
    if (!editor.isNeeded()) return blocks;
    if (editor.hasNew() && std::none_of(blocks.begin(), blocks.end(), isComments)) {
        blocks.insert(blocks.begin() + 1, makeBlock(FLACBlockType::vorbisComment, emptyComments()));
    }
    for (Block &block : blocks) {
        if (!isComments(block)) continue;
        block.content = editor.edited(block.content);
        if (block.content.size() > maximumBlockSize) throw UnsupportedTag{};
    }
    return blocks;
}

/// Reads all blocks, which must be complete.
std::vector<Block> readBlocks(const RegularFile &file, uint64_t position, uint64_t &end) {
    std::vector<Block> blocks;
    size_t budget = maximumTagBytes;
    for (;;) {
        const auto block = blockAt(file, position);
        if (!block || block->is(FLACBlockType::forbidden) || block->end() > file.size() || block->size > budget
            || blocks.size() == maximumBlocks) {
            throw UnsupportedTag{};
        }
        budget -= block->size;
        blocks.push_back({block->type, file.read(block->start, block->size)});
        position = end = block->end();
        if (block->isLast) break;
    }
    if (!blocks[0].is(FLACBlockType::streamInfo) || blocks[0].content.size() != streamInfoSize) throw UnsupportedTag{};
    return blocks;
}

bool isSame(const std::vector<Block> &a, const std::vector<Block> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Block &x, const Block &y) {
        return x.type == y.type && x.content == y.content;
    });
}

/// Gathers all padding in one block at the end, such that the metadata keeps its size if possible.
void pad(std::vector<Block> &blocks, size_t oldSize) {
    const auto isPadding = [](const Block &block) { return block.is(FLACBlockType::padding); };
    blocks.erase(std::remove_if(blocks.begin(), blocks.end(), isPadding), blocks.end());
    size_t size = 0;
    for (const Block &block : blocks) size += blockHeaderSize + block.content.size();
    if (size == oldSize) return;
    const bool fits = size + blockHeaderSize <= oldSize && oldSize - size - blockHeaderSize <= maximumPadding;
    const size_t padding = fits ? oldSize - size - blockHeaderSize : newPadding;
    blocks.push_back(makeBlock(FLACBlockType::padding, std::string(padding, '\0')));
}

}  // namespace

void rewriteFLAC(const RegularFile &file, uint64_t firstBlock, const TagEdits &edits, TagRewrite &rewrite) {
    rewrite.container = CTAGLIB_FLAC;
    rewriteID3v2(file, edits, rewrite, false, readFLACLyrics(file).size());
    uint64_t end = 0;
    const std::vector<Block> old = readBlocks(file, firstBlock, end);
    // Between the tags that were understood and the blocks: the marker, and tags of unknown versions.
    if (rewrite.keptStart > firstBlock || firstBlock - rewrite.keptStart > maximumTagBytes) throw UnsupportedTag{};
    rewrite.leading += file.read(rewrite.keptStart, static_cast<size_t>(firstBlock - rewrite.keptStart));
    rewrite.keptStart = end;
    TagContents current;
    readFLAC(file, current);
    const TagEdits wanted = outstandingEdits(current, edits);
    std::vector<Block> blocks = withCover(withComments(old, wanted), wanted);
    if (!isSame(blocks, old)) {
        pad(blocks, static_cast<size_t>(end - firstBlock));
        rewrite.isChanged = true;
    }
    for (size_t index = 0; index < blocks.size(); ++index) {
        const unsigned char lastFlag = index + 1 == blocks.size() ? 0x80 : 0;
        rewrite.leading += static_cast<char>(static_cast<unsigned char>(blocks[index].type) | lastFlag);
        appendBigEndian(rewrite.leading, blocks[index].content.size(), 3);
        rewrite.leading += blocks[index].content;
    }
}

}  // namespace ctaglib
