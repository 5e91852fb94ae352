#pragma once
#include <functional>
#include <optional>
#include <string>

#include "include/ctaglib.h"

namespace ctaglib {

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
};

/// Returns the purpose of comments with a name. Case is ignored.
CommentSubject subjectOfComment(const std::string &key);

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

/// Appends a number as in Vorbis comments: 32 bits, little-endian.
void appendLittleEndian(std::string &bytes, size_t value);

}  // namespace ctaglib
