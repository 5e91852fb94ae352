#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "include/ctaglib.h"

namespace ctaglib {

/// How the comments of a codec differ: Opus has gains of its own (RFC 7845 §5.2.1).
enum class CommentDialect { vorbis, opus };

/// The purpose of a Vorbis comment.
struct CommentSubject {
    enum class Role {
        /// The field's own comment, possibly one of several names.
        own,
        /// The total of a number in a set: `TRACKTOTAL`.
        total,
        /// Read only if the field has no comment of its own.
        fallback
    };
    /// Nothing for comments that are no fields.
    std::optional<ctaglib_field> field;
    Role role = Role::own;
    bool isLyrics = false;
    /// Whether the value is a gain in the form of Opus.
    bool isOpusGain = false;
};

/// Returns the purpose of comments with a name. Case is ignored.
CommentSubject subjectOfComment(const std::string &key, CommentDialect dialect = CommentDialect::vorbis);

/// Returns a gain of Opus, in 1/256 dB to a loudness of -23 LUFS, as ReplayGain's text, in dB to -18 LUFS; empty if it is no number.
std::string replayGainOfOpus(const std::string &text);

/// Returns ReplayGain's text as a gain of Opus; empty if it is no number. Values out of range become the nearest in range.
std::string opusGain(const std::string &text);

/// Location of a comment, `KEY=value`, in a block.
struct CommentExtent {
    size_t start;
    size_t size;
};

/// Calls a function for each comment of a VORBIS_COMMENT block until it returns false.
/// Returns the position after the last comment; nothing if it was stopped, or if the block is damaged.
std::optional<size_t> forEachComment(
    const std::string &block, const std::function<bool(const CommentExtent &)> &visit);

/// Returns the size of the name of a comment; nothing if the comment has no "=".
std::optional<size_t> keySize(const std::string &block, const CommentExtent &comment);

/// Returns a block with other comments, keeping the vendor's name and the bytes from a position behind the comments.
std::string joinedComments(const std::string &block, const std::vector<std::string> &comments, size_t end);

/// Appends a number as in Vorbis comments: 32 bits, little-endian.
void appendLittleEndian(std::string &bytes, size_t value);

}  // namespace ctaglib
