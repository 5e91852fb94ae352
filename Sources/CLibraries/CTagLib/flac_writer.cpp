// The blocks are assembled here, since TagLib's own writer sorts comments by name, merges several blocks of comments, and drops
// blocks that it considers damaged.

#include "flac_writer.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "flac_blocks.hpp"
#include "flac_tags.hpp"
#include "id3v2_writer.hpp"
#include "text_keys.hpp"
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

void appendBigEndian(std::string &bytes, size_t value, int byteCount = 4) {
    for (int i = byteCount - 1; i >= 0; --i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
}

/// The comments that an edit writes for one name or several names of the same meaning.
struct Slot {
    /// The usual name, used if the file has none of them.
    std::string name;
    /// The new value; nothing to remove the comments.
    std::optional<std::string> text;
    bool isWritten = false;
};

const char *commentName(ctaglib_field field) {
    switch (field) {
    case CTAGLIB_TITLE: return "TITLE";
    case CTAGLIB_ARTIST: return "ARTIST";
    case CTAGLIB_ALBUM: return "ALBUM";
    case CTAGLIB_ALBUM_ARTIST: return "ALBUMARTIST";
    case CTAGLIB_TRACK: return "TRACKNUMBER";
    case CTAGLIB_DISC: return "DISCNUMBER";
    case CTAGLIB_DATE: return "DATE";
    case CTAGLIB_GENRE: return "GENRE";
    case CTAGLIB_COMPOSER: return "COMPOSER";
    case CTAGLIB_COMMENT: return "COMMENT";
    case CTAGLIB_COMPILATION: return "COMPILATION";
    case CTAGLIB_BPM: return "BPM";
    case CTAGLIB_INITIAL_KEY: return "INITIALKEY";
    case CTAGLIB_REPLAYGAIN_TRACK_GAIN: return "REPLAYGAIN_TRACK_GAIN";
    case CTAGLIB_REPLAYGAIN_TRACK_PEAK: return "REPLAYGAIN_TRACK_PEAK";
    case CTAGLIB_REPLAYGAIN_ALBUM_GAIN: return "REPLAYGAIN_ALBUM_GAIN";
    case CTAGLIB_REPLAYGAIN_ALBUM_PEAK: return "REPLAYGAIN_ALBUM_PEAK";
    default: throw UnsupportedTag{};
    }
}

bool hasTotal(ctaglib_field field) { return field == CTAGLIB_TRACK || field == CTAGLIB_DISC; }

std::string withoutZeros(const std::string &number) {
    return number.substr(std::min(number.find_first_not_of('0'), number.size()));
}

/// Changes the comments of a file, block by block.
class CommentEditor {
public:
    CommentEditor(const TagEdits &edits, const std::vector<Block> &blocks) : edits_(edits) {
        for (size_t index = 0; index < CTAGLIB_FIELD_COUNT; ++index) {
            const auto &change = edits.texts[index];
            if (!change) continue;
            const auto field = static_cast<ctaglib_field>(index);
            std::string own = change->text;
            std::string total;
            if (hasTotal(field)) {
                // "3/12", or "0/12" without a number.
                const size_t slash = own.find('/');
                if (slash != std::string::npos) total = own.substr(slash + 1);
                own = withoutZeros(own.substr(0, slash));
                totals_[index] = Slot{field == CTAGLIB_TRACK ? "TRACKTOTAL" : "DISCTOTAL", textOf(total)};
            }
            owns_[index] = Slot{commentName(field), textOf(own)};
        }
        for (const Block &block : blocks) {
            if (!block.is(FLACBlockType::vorbisComment)) continue;
            forEachComment(block.content, [&](const CommentExtent &comment) {
                const CommentSubject subject = subjectOf(block.content, comment);
                if (subject.field && subject.role == CommentSubject::Role::own) {
                    hasOwn_[static_cast<size_t>(*subject.field)] = true;
                }
                return true;
            });
        }
    }

    /// Whether any comment may change.
    bool isNeeded() const {
        return !edits_.lyrics.changed.empty() || !edits_.lyrics.added.empty()
               || std::any_of(owns_.begin(), owns_.end(), [](const auto &slot) { return slot.has_value(); });
    }

    /// Whether there are comments to write in a file without any.
    bool hasNew() const {
        const auto sets = [](const std::optional<Slot> &slot) { return slot && slot->text; };
        return !edits_.lyrics.added.empty() || std::any_of(owns_.begin(), owns_.end(), sets)
               || std::any_of(totals_.begin(), totals_.end(), sets);
    }

    /// Returns the content of a block with the edits applied. Values are written to the first block only.
    std::string edited(const std::string &block) {
        const bool isFirst = !std::exchange(hasBlock_, true);
        std::vector<std::string> comments;
        std::unordered_set<std::string> writtenKeys;
        const auto end = forEachComment(block, [&](const CommentExtent &comment) {
            const std::string old = block.substr(comment.start, comment.size);
            const CommentSubject subject = subjectOf(block, comment);
            const std::string key = old.substr(0, old.find('='));
            if (subject.isLyrics) {
                takeLyrics(old, key, comments);
            } else if (Slot *slot = changedSlot(subject)) {
                if (!isFirst || !slot->text || !writtenKeys.insert(lowercased(key)).second) return true;
                slot->isWritten = true;
                comments.push_back(key + "=" + replacement(*slot, subject, old.substr(key.size() + 1)));
            } else {
                comments.push_back(old);
            }
            return true;
        });
        // A block that cannot be read to its end cannot be written without loss.
        if (!end) throw UnsupportedTag{};
        if (isFirst) addMissing(comments);
        const size_t vendorSize = littleEndianAt(block);
        std::string result = block.substr(0, 4 + vendorSize);
        appendLittleEndian(result, comments.size());
        for (const std::string &comment : comments) {
            appendLittleEndian(result, comment.size());
            result += comment;
        }
        return result.append(block, *end, std::string::npos);
    }

private:
    static std::optional<std::string> textOf(const std::string &text) {
        return text.empty() ? std::nullopt : std::optional<std::string>{text};
    }

    static size_t littleEndianAt(const std::string &block) {
        size_t value = 0;
        for (size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(block[i]);
        return value;
    }

    static CommentSubject subjectOf(const std::string &block, const CommentExtent &comment) {
        const auto key = keySize(block, comment);
        return key ? subjectOfComment(block.substr(comment.start, *key)) : CommentSubject{};
    }

    /// Returns the slot of a comment to replace or remove; null for comments that stay.
    Slot *changedSlot(const CommentSubject &subject) {
        if (!subject.field) return nullptr;
        const auto index = static_cast<size_t>(*subject.field);
        auto &slot = subject.role == CommentSubject::Role::total ? totals_[index] : owns_[index];
        if (!slot) return nullptr;
        // A description next to the comment says something else; a year is the same as the date.
        const bool stays = subject.role == CommentSubject::Role::fallback && *subject.field == CTAGLIB_COMMENT
                           && slot->text && hasOwn_[index];
        return stays ? nullptr : &*slot;
    }

    /// Returns the new value of a comment; the same number keeps its leading zeros.
    static std::string replacement(const Slot &slot, const CommentSubject &subject, const std::string &old) {
        if (subject.field && hasTotal(*subject.field)) {
            const std::string number = old.substr(0, old.find('/'));
            if (withoutZeros(number) == *slot.text) return number;
        }
        return *slot.text;
    }

    void takeLyrics(const std::string &old, const std::string &key, std::vector<std::string> &comments) {
        const auto found = edits_.lyrics.changed.find(lyricsCount_++);
        if (found == edits_.lyrics.changed.end()) {
            comments.push_back(old);
        } else if (found->second) {
            comments.push_back(key + "=" + textOf(*found->second));
        }
    }

    static const std::string &textOf(const NewLyricsFrame &lyrics) {
        if (lyrics.kind != CTAGLIB_LYRICS_COMMENT) throw UnsupportedTag{};
        return lyrics.content;
    }

    void addMissing(std::vector<std::string> &comments) {
        for (size_t index = 0; index < CTAGLIB_FIELD_COUNT; ++index) {
            for (auto *slot : {&owns_[index], &totals_[index]}) {
                if (!*slot || !(*slot)->text || (*slot)->isWritten) continue;
                (*slot)->isWritten = true;
                comments.push_back((*slot)->name + "=" + *(*slot)->text);
            }
        }
        for (const NewLyricsFrame &lyrics : edits_.lyrics.added) comments.push_back("LYRICS=" + textOf(lyrics));
    }

    const TagEdits &edits_;
    std::array<std::optional<Slot>, CTAGLIB_FIELD_COUNT> owns_, totals_;
    std::array<bool, CTAGLIB_FIELD_COUNT> hasOwn_{};
    bool hasBlock_ = false;
    size_t lyricsCount_ = 0;
};

/// Returns a block of comments without any.
std::string emptyComments() {
    const std::string vendor = "Audio Companion";
    std::string block;
    appendLittleEndian(block, vendor.size());
    block += vendor;
    appendLittleEndian(block, 0);
    return block;
}

/// Returns the content of a PICTURE block (RFC 9639 §8.8). Its size in pixels and its colors are stated as unknown.
std::string pictureBlock(const Picture &picture) {
    std::string block;
    appendBigEndian(block, frontCover);
    appendBigEndian(block, picture.mimeType.size());
    block += picture.mimeType;
    block.append(5 * 4, '\0');  // an empty description, width, height, color depth, number of colors
    appendBigEndian(block, picture.data.size());
    if (block.size() + picture.data.size() > maximumBlockSize) throw PictureTooLarge{};
    return block + picture.data;
}

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
        result.push_back(makeBlock(FLACBlockType::picture, pictureBlock(edits.picture)));
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
    CommentEditor editor(edits, blocks);
    if (!editor.isNeeded()) return blocks;
    const auto isComments = [](const Block &block) { return block.is(FLACBlockType::vorbisComment); };
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

/// Returns the edits without those that the comments and pictures already fulfil.
TagEdits outstanding(const RegularFile &file, const TagEdits &edits) {
    TagContents current;
    readFLAC(file, current);
    TagEdits result = edits;
    for (size_t index = 0; index < result.texts.size(); ++index) {
        auto &change = result.texts[index];
        if (change && !change->isRemoval
            && states(current.fields[index], static_cast<ctaglib_field>(index), change->text)) {
            change.reset();
        }
    }
    if (result.cover == CoverChange::set && current.picture.isFrontCover
        && current.picture.data == result.picture.data) {
        result.cover = CoverChange::leave;
    }
    return result;
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
    const TagEdits wanted = outstanding(file, edits);
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
