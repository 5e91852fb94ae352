#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tag_edits.hpp"
#include "vorbis_comments.hpp"

namespace ctaglib {

/// The comments that an edit writes for one name or several names of the same meaning.
struct CommentSlot {
    /// The usual name, used if the file has none of them.
    std::string name;
    /// The new value; nothing to remove the comments.
    std::optional<std::string> text;
    bool isWritten = false;
};

/// Changes the comments of a file, block by block. All other comments keep their bytes and their order.
class CommentEditor {
public:
    CommentEditor(const TagEdits &edits, CommentDialect dialect);

    /// Notes the comments of a block before any is edited.
    void prepare(const std::string &block);

    /// Whether any comment may change.
    bool isNeeded() const;

    /// Whether there are comments to write in a file without any.
    bool hasNew() const;

    /// Returns the content of a block with the edits applied. Values are written to the first block only.
    std::string edited(const std::string &block);

private:
    CommentSubject subjectOf(const std::string &block, const CommentExtent &comment) const;
    CommentSlot *changedSlot(const CommentSubject &subject);
    void takeLyrics(const std::string &old, const std::string &key, std::vector<std::string> &comments);
    void addMissing(std::vector<std::string> &comments);

    const TagEdits &edits_;
    const CommentDialect dialect_;
    std::array<std::optional<CommentSlot>, CTAGLIB_FIELD_COUNT> owns_, totals_;
    std::array<bool, CTAGLIB_FIELD_COUNT> hasOwn_{};
    bool hasBlock_ = false;
    size_t lyricsCount_ = 0;
};

/// Returns a block of comments without any.
std::string emptyComments();

/// Returns the content of a PICTURE block (RFC 9639 §8.8). Its size in pixels and its colors are stated as unknown.
/// Throws PictureTooLarge if it is larger than a maximum.
std::string pictureBlock(const Picture &picture, size_t maximumSize);

/// Appends a number, big-endian.
void appendBigEndian(std::string &bytes, size_t value, int byteCount = 4);

/// Returns the edits without those that comments and pictures already fulfil.
TagEdits outstandingEdits(const TagContents &current, const TagEdits &edits);

}  // namespace ctaglib
