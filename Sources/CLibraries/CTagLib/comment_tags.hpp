#pragma once
#include <optional>
#include <string>
#include <vector>

#include "id3v2_lyrics.hpp"
#include "tag_contents.hpp"
#include "vorbis_comments.hpp"

namespace ctaglib {

/// Reads the fields in a block of Vorbis comments.
void readComments(const std::string &block, CommentDialect dialect, TagContents &contents);

/// Reads the content of a PICTURE block (RFC 9639 §8.8).
void readPictureBlock(const std::string &block, TagContents &contents);

/// The comments with pictures.
enum class PictureComment {
    /// A PICTURE block in Base64.
    block,
    /// A picture in Base64, as written before there were blocks.
    oldPicture,
    /// Its type or description.
    oldDescription
};

/// Returns the kind of comments with a name; nothing for those without pictures. Case is ignored.
std::optional<PictureComment> pictureOfComment(const std::string &key);

/// Reads the pictures among the comments of a block.
void readCommentPictures(const std::string &block, TagContents &contents);

/// Appends the comments with lyrics of a block, in order.
/// - total: the size of all lyrics so far.
void readCommentLyrics(const std::string &content, std::vector<LyricsFrame> &frames, size_t &total);

}  // namespace ctaglib
