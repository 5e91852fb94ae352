// The pages are assembled here, since TagLib's own writer sorts comments by name, and renumbers all pages of a file.

#include "ogg_writer.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base64.hpp"
#include "comment_editor.hpp"
#include "comment_tags.hpp"
#include "flac_blocks.hpp"
#include "id3v2_writer.hpp"
#include "ogg_pages.hpp"
#include "ogg_tags.hpp"

namespace ctaglib {
namespace {

/// Returns the type of the picture in a comment of blocks; nothing if it is damaged.
std::optional<uint32_t> pictureType(const std::string &block, const CommentExtent &comment, size_t keySize) {
    // Eight digits have six bytes.
    const size_t count = std::min<size_t>(8, comment.size - keySize - 1);
    const auto start = fromBase64(block, comment.start + keySize + 1, count);
    if (!start || start->size() < 4) return std::nullopt;
    return bigEndian(*start, 0);
}

/// The pictures among comments.
enum class PictureRole { none, front, other, old, oldDescription };

PictureRole roleOf(const std::string &block, const CommentExtent &comment) {
    const auto key = keySize(block, comment);
    if (!key) return PictureRole::none;
    const auto kind = pictureOfComment(block.substr(comment.start, *key));
    if (!kind) return PictureRole::none;
    if (*kind == PictureComment::oldPicture) return PictureRole::old;
    if (*kind == PictureComment::oldDescription) return PictureRole::oldDescription;
    const auto type = pictureType(block, comment, *key);
    if (type == frontCover) return PictureRole::front;
    return type == 0u ? PictureRole::other : PictureRole::none;
}

/// Replaces, adds or removes the front cover. Without a front cover, the first picture of type "other" counts as such, or else
/// one in the old form, which has no type.
std::string withCover(const std::string &block, const TagEdits &edits) {
    if (edits.cover == CoverChange::leave) return block;
    PictureRole cover = PictureRole::none;
    for (const PictureRole candidate : {PictureRole::old, PictureRole::other, PictureRole::front}) {
        forEachComment(block, [&](const CommentExtent &comment) {
            if (roleOf(block, comment) == candidate) cover = candidate;
            return true;
        });
    }
    std::vector<std::string> comments;
    bool isWritten = false;
    bool isOtherDone = false;
    const auto write = [&] {
        if (edits.cover != CoverChange::set || std::exchange(isWritten, true)) return;
        comments.push_back("METADATA_BLOCK_PICTURE=" + toBase64(pictureBlock(edits.picture, maximumBlockSize)));
    };
    const auto end = forEachComment(block, [&](const CommentExtent &comment) {
        const PictureRole role = roleOf(block, comment);
        const bool isDescription = cover == PictureRole::old && role == PictureRole::oldDescription;
        const bool isLaterOther = role == PictureRole::other && isOtherDone;
        if (role == cover && cover != PictureRole::none && !isLaterOther) {
            isOtherDone = true;
            write();
        } else if (!isDescription) {
            comments.push_back(block.substr(comment.start, comment.size));
        }
        return true;
    });
    // Comments that cannot be read to their end cannot be written without loss.
    if (!end) throw UnsupportedTag{};
    write();
    return joinedComments(block, comments, *end);
}

/// Returns comments with the edits applied.
std::string edited(const std::string &block, const TagEdits &edits, CommentDialect dialect) {
    CommentEditor editor(edits, dialect);
    editor.prepare(block);
    return withCover(editor.isNeeded() ? editor.edited(block) : block, edits);
}

/// Returns the position of the padding at the end of comments: zeros behind them, and behind the framing bit of Vorbis.
size_t paddingStart(const std::string &block, CommentDialect dialect) {
    const auto end = forEachComment(block, [](const CommentExtent &) { return true; });
    if (!end) throw UnsupportedTag{};
    const size_t start = std::min(block.size(), *end + (dialect == CommentDialect::vorbis ? 1 : 0));
    const bool isPadding = block.find_first_not_of('\0', start) == std::string::npos;
    // Anything else, such as data that Opus marks as to be kept, stays.
    return isPadding ? start : block.size();
}

}  // namespace

void rewriteOgg(const RegularFile &file, const TagEdits &edits, TagRewrite &rewrite) {
    rewrite.container = CTAGLIB_OGG;
    rewriteID3v2(file, edits, rewrite, false, readOggLyrics(file).size());
    auto comments = readOggComments(file, true);
    if (!comments || comments->isShared || comments->start < rewrite.keptStart
        || comments->start - rewrite.keptStart > maximumTagBytes) {
        throw UnsupportedTag{};
    }
    TagContents current;
    readOgg(file, current);
    const TagEdits wanted = outstandingEdits(current, edits);
    std::string &packet = comments->packets[0];
    const std::string old = packet.substr(comments->prefixSize());
    std::string block = edited(old, wanted, comments->dialect);
    if (block == old) return;
    block.resize(paddingStart(block, comments->dialect));
    packet = packet.substr(0, comments->prefixSize()) + block;
    if (packet.size() > maximumTagBytes) throw UnsupportedTag{};
    size_t segments = 0;
    for (const std::string &each : comments->packets) segments += segmentCount(each);
    // As many pages as before, so that the others keep their numbers: each has a segment, for which the comments are padded.
    if (segments < comments->pageCount) packet.append(255 * (comments->pageCount - segments), '\0');
    const auto pages =
        oggPages(comments->packets, comments->pageCount, comments->serial, comments->firstSequence);
    rewrite.leading += file.read(rewrite.keptStart, static_cast<size_t>(comments->start - rewrite.keptStart));
    for (const std::string &page : pages) rewrite.leading += page;
    rewrite.keptStart = comments->end;
    rewrite.pageShift = static_cast<uint32_t>(pages.size() - comments->pageCount);
    rewrite.pageSerial = comments->serial;
    rewrite.isChanged = true;
}

}  // namespace ctaglib
