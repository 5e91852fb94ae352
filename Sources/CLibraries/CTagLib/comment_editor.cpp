#include "comment_editor.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "flac_blocks.hpp"
#include "text_keys.hpp"

namespace ctaglib {
namespace {

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

bool isGain(ctaglib_field field) {
    return field == CTAGLIB_REPLAYGAIN_TRACK_GAIN || field == CTAGLIB_REPLAYGAIN_ALBUM_GAIN;
}

const char *opusGainName(ctaglib_field field) {
    return field == CTAGLIB_REPLAYGAIN_TRACK_GAIN ? "R128_TRACK_GAIN" : "R128_ALBUM_GAIN";
}

std::optional<std::string> textOf(const std::string &text) {
    return text.empty() ? std::nullopt : std::optional<std::string>{text};
}

const std::string &textOf(const NewLyricsFrame &lyrics) {
    if (lyrics.kind != CTAGLIB_LYRICS_COMMENT) throw UnsupportedTag{};
    return lyrics.content;
}

/// Returns the new value of a comment; the same number keeps its leading zeros.
std::string replacement(const CommentSlot &slot, const CommentSubject &subject, const std::string &old) {
    if (subject.field && hasTotal(*subject.field)) {
        const std::string number = old.substr(0, old.find('/'));
        if (withoutZeros(number) == *slot.text) return number;
    }
    return *slot.text;
}

}  // namespace

CommentEditor::CommentEditor(const TagEdits &edits, CommentDialect dialect) : edits_(edits), dialect_(dialect) {
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
            totals_[index] = CommentSlot{field == CTAGLIB_TRACK ? "TRACKTOTAL" : "DISCTOTAL", textOf(total)};
        }
        owns_[index] = CommentSlot{commentName(field), textOf(own)};
        if (dialect == CommentDialect::opus && isGain(field)) {
            owns_[index] = CommentSlot{opusGainName(field), textOf(own.empty() ? own : opusGain(own))};
        }
    }
}

void CommentEditor::prepare(const std::string &block) {
    forEachComment(block, [&](const CommentExtent &comment) {
        const CommentSubject subject = subjectOf(block, comment);
        if (subject.field && subject.role == CommentSubject::Role::own) {
            hasOwn_[static_cast<size_t>(*subject.field)] = true;
        }
        return true;
    });
}

bool CommentEditor::isNeeded() const {
    return !edits_.lyrics.changed.empty() || !edits_.lyrics.added.empty()
           || std::any_of(owns_.begin(), owns_.end(), [](const auto &slot) { return slot.has_value(); });
}

bool CommentEditor::hasNew() const {
    const auto sets = [](const std::optional<CommentSlot> &slot) { return slot && slot->text; };
    return !edits_.lyrics.added.empty() || std::any_of(owns_.begin(), owns_.end(), sets)
           || std::any_of(totals_.begin(), totals_.end(), sets);
}

std::string CommentEditor::edited(const std::string &block) {
    const bool isFirst = !std::exchange(hasBlock_, true);
    std::vector<std::string> comments;
    std::unordered_set<std::string> writtenKeys;
    const auto end = forEachComment(block, [&](const CommentExtent &comment) {
        const std::string old = block.substr(comment.start, comment.size);
        const CommentSubject subject = subjectOf(block, comment);
        const std::string key = old.substr(0, old.find('='));
        if (subject.isLyrics) {
            takeLyrics(old, key, comments);
        } else if (CommentSlot *slot = changedSlot(subject)) {
            // A gain for the other reference level, next to the one of Opus.
            if (dialect_ == CommentDialect::opus && isGain(*subject.field) && !subject.isOpusGain) return true;
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
    return joinedComments(block, comments, *end);
}

CommentSubject CommentEditor::subjectOf(const std::string &block, const CommentExtent &comment) const {
    const auto key = keySize(block, comment);
    return key ? subjectOfComment(block.substr(comment.start, *key), dialect_) : CommentSubject{};
}

/// Returns the slot of a comment to replace or remove; null for comments that stay.
CommentSlot *CommentEditor::changedSlot(const CommentSubject &subject) {
    if (!subject.field) return nullptr;
    const auto index = static_cast<size_t>(*subject.field);
    auto &slot = subject.role == CommentSubject::Role::total ? totals_[index] : owns_[index];
    if (!slot) return nullptr;
    // A description next to the comment says something else; a year is the same as the date.
    const bool stays = subject.role == CommentSubject::Role::fallback && *subject.field == CTAGLIB_COMMENT
                       && slot->text && hasOwn_[index];
    return stays ? nullptr : &*slot;
}

void CommentEditor::takeLyrics(const std::string &old, const std::string &key, std::vector<std::string> &comments) {
    const auto found = edits_.lyrics.changed.find(lyricsCount_++);
    if (found == edits_.lyrics.changed.end()) {
        comments.push_back(old);
    } else if (found->second) {
        comments.push_back(key + "=" + textOf(*found->second));
    }
}

void CommentEditor::addMissing(std::vector<std::string> &comments) {
    for (size_t index = 0; index < CTAGLIB_FIELD_COUNT; ++index) {
        for (auto *slot : {&owns_[index], &totals_[index]}) {
            if (!*slot || !(*slot)->text || (*slot)->isWritten) continue;
            (*slot)->isWritten = true;
            comments.push_back((*slot)->name + "=" + *(*slot)->text);
        }
    }
    for (const NewLyricsFrame &lyrics : edits_.lyrics.added) comments.push_back("LYRICS=" + textOf(lyrics));
}

std::string emptyComments() {
    const std::string vendor = "Audio Companion";
    std::string block;
    appendLittleEndian(block, vendor.size());
    block += vendor;
    appendLittleEndian(block, 0);
    return block;
}

std::string pictureBlock(const Picture &picture, size_t maximumSize) {
    std::string block;
    appendBigEndian(block, frontCover);
    appendBigEndian(block, picture.mimeType.size());
    block += picture.mimeType;
    block.append(5 * 4, '\0');  // an empty description, width, height, color depth, number of colors
    appendBigEndian(block, picture.data.size());
    if (block.size() + picture.data.size() > maximumSize) throw PictureTooLarge{};
    return block + picture.data;
}

void appendBigEndian(std::string &bytes, size_t value, int byteCount) {
    for (int i = byteCount - 1; i >= 0; --i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
}

TagEdits outstandingEdits(const TagContents &current, const TagEdits &edits) {
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

}  // namespace ctaglib
