// TagLib renders the frames that change; the tag around them is put together here, since TagLib's own writing of
// a tag turns ID3v2.2 and 2.3 into other versions frame by frame, drops frames that it takes for outdated (RVAD,
// EQUA, TSIZ), empties frames whose flags it does not know, and unpacks whatever a hostile tag holds.

#include "id3v2_writer.hpp"

#include <algorithm>
#include <vector>

#include <taglib/attachedpictureframe.h>
#include <taglib/commentsframe.h>
#include <taglib/textidentificationframe.h>

#include "id3v2_frames.hpp"
#include "id3v2_reader.hpp"

namespace ctaglib {
namespace {

using TagLib::String;

/// Padding of a tag that has to grow: room for the next edits of any program.
constexpr size_t newPadding = 2048;
/// A tag keeps its size while not more than this is left over in it.
constexpr size_t maximumPadding = 64u << 10;
/// ID3v2.4 §3.1: 28 bits.
constexpr size_t maximumTagSize = (1u << 28) - 1;
constexpr unsigned char experimentalFlag = 0x20;

std::string toString(const ByteVector &bytes) { return std::string(bytes.data(), bytes.size()); }

String toTagLib(const std::string &text) { return String(text, String::UTF8); }

/// A frame's header and content (ID3v2.2 §3.2, ID3v2.3 §3.3, ID3v2.4 §4).
std::string frame(unsigned int version, const std::string &id, const std::string &content) {
    const size_t size = content.size();
    std::string result = id;
    const int count = version < 3 ? 3 : 4;
    const int bits = version == 4 ? 7 : 8;
    for (int i = count - 1; i >= 0; --i) {
        result += static_cast<char>(size >> (i * bits) & ((1u << bits) - 1));
    }
    if (version >= 3) result.append(2, '\0');
    return result + content;
}

/// The content that TagLib gives a frame.
std::string content(const ID3v2::Frame &frame) { return toString(frame.render().mid(10)); }

String::Type encodingFor(unsigned int version, const String &text) {
    if (version == 4) return String::UTF8;
    return text.isLatin1() ? String::Latin1 : String::UTF16;
}

const char *frameName(ctaglib_field field, unsigned int version) {
    const bool isShort = version < 3;
    switch (field) {
    case CTAGLIB_TITLE: return isShort ? "TT2" : "TIT2";
    case CTAGLIB_ARTIST: return isShort ? "TP1" : "TPE1";
    case CTAGLIB_ALBUM: return isShort ? "TAL" : "TALB";
    case CTAGLIB_ALBUM_ARTIST: return isShort ? "TP2" : "TPE2";
    case CTAGLIB_TRACK: return isShort ? "TRK" : "TRCK";
    case CTAGLIB_DISC: return isShort ? "TPA" : "TPOS";
    case CTAGLIB_DATE: return isShort ? "TYE" : version == 3 ? "TYER" : "TDRC";
    case CTAGLIB_GENRE: return isShort ? "TCO" : "TCON";
    case CTAGLIB_COMPOSER: return isShort ? "TCM" : "TCOM";
    case CTAGLIB_COMMENT: return isShort ? "COM" : "COMM";
    case CTAGLIB_COMPILATION: return isShort ? "TCP" : "TCMP";
    default: throw UnsupportedTag{};
    }
}

/// The description of a text that has no frame of its own; null where it has one. In the case that rsgain and
/// loudgain write.
const char *userDescription(ctaglib_field field) {
    switch (field) {
    case CTAGLIB_REPLAYGAIN_TRACK_GAIN: return "REPLAYGAIN_TRACK_GAIN";
    case CTAGLIB_REPLAYGAIN_TRACK_PEAK: return "REPLAYGAIN_TRACK_PEAK";
    case CTAGLIB_REPLAYGAIN_ALBUM_GAIN: return "REPLAYGAIN_ALBUM_GAIN";
    case CTAGLIB_REPLAYGAIN_ALBUM_PEAK: return "REPLAYGAIN_ALBUM_PEAK";
    default: return nullptr;
    }
}

std::string textFrame(
    ctaglib_field field, const std::string &value, unsigned int version, const std::string &language) {
    const String text = toTagLib(value);
    const String::Type encoding = encodingFor(version, text);
    if (field == CTAGLIB_COMMENT) {
        ID3v2::CommentsFrame comment(encoding);
        const std::string shown = language.size() == 3 ? language : "eng";
        comment.setLanguage(ByteVector(shown.data(), 3));
        comment.setText(text);
        return frame(version, frameName(field, version), content(comment));
    }
    if (const char *description = userDescription(field)) {
        ID3v2::UserTextIdentificationFrame user(text.isLatin1() ? String::Latin1 : encoding);
        user.setDescription(description);
        user.setText(text);
        return frame(version, version < 3 ? "TXX" : "TXXX", content(user));
    }
    // The name only serves to make the frame: that of the version is written.
    ID3v2::TextIdentificationFrame plain(ByteVector("TIT2"), encoding);
    plain.setText(text);
    return frame(version, frameName(field, version), content(plain));
}

std::string pictureFrame(const Picture &picture, unsigned int version) {
    const bool isPNG = picture.mimeType == "image/png";
    if (version < 3) {
        // ID3v2.2 §4.15: encoding, format of three letters, type, description, picture.
        return frame(
            version, "PIC", std::string("\0", 1) + (isPNG ? "PNG" : "JPG") + std::string("\x03\0", 2) + picture.data);
    }
    ID3v2::AttachedPictureFrame attached;
    attached.setTextEncoding(String::Latin1);
    attached.setMimeType(toTagLib(picture.mimeType));
    attached.setType(ID3v2::AttachedPictureFrame::FrontCover);
    attached.setPicture(ByteVector(picture.data.data(), static_cast<unsigned int>(picture.data.size())));
    return frame(version, "APIC", content(attached));
}

/// "03/012" as "3/12".
std::string withoutLeadingZeros(const std::string &text) {
    std::string result;
    bool isAtStart = true;
    for (const char character : text) {
        if (isAtStart && character == '0') continue;
        isAtStart = character == '/';
        result += character;
    }
    return result;
}

bool states(const std::string &current, ctaglib_field field, const std::string &asked) {
    if (current == asked) return true;
    if (current.empty()) return false;
    if (field == CTAGLIB_TRACK || field == CTAGLIB_DISC) {
        return withoutLeadingZeros(current) == withoutLeadingZeros(asked);
    }
    // A date of that year says more than the year.
    return field == CTAGLIB_DATE && current.compare(0, asked.size() + 1, asked + "-") == 0;
}

/// The edits without those that the tags fulfil already.
TagEdits outstanding(const RegularFile &file, const TagEdits &edits) {
    TagContents current;
    readID3v2(file, current);
    TagEdits result = edits;
    for (size_t field = 0; field < result.texts.size(); ++field) {
        auto &change = result.texts[field];
        if (change && !change->isRemoval
            && states(current.fields[field], static_cast<ctaglib_field>(field), change->text)) {
            change.reset();
        }
    }
    if (result.cover == CoverChange::set && current.picture.isFrontCover
        && current.picture.data == result.picture.data) {
        result.cover = CoverChange::leave;
    }
    return result;
}

bool hasSomethingToSet(const TagEdits &edits) {
    return edits.cover == CoverChange::set || !edits.lyrics.added.empty()
           || std::any_of(edits.texts.begin(), edits.texts.end(), [](const auto &change) {
                  return change && !change->isRemoval;
              });
}

/// A frame of the old tag.
struct OldFrame {
    FrameExtent extent;
    size_t end;
    ByteVector bytes;
    FrameSubject subject;
};

/// Builds one tag anew.
class TagBuilder {
public:
    /// - lyricsCount: how many lyrics frames the tags before have; those of this one are counted.
    TagBuilder(const TagEdits &edits, unsigned int version, bool addsFrames, size_t &lyricsCount)
        : edits_(edits), version_(version), addsFrames_(addsFrames), lyricsCount_(lyricsCount) {}

    /// The tag with its edits; nothing if it stays as it is.
    std::optional<std::string> rebuilt(const std::string &tagHeader, const std::string &rawBody) {
        const ID3v2::Header header(ByteVector(tagHeader.data(), tagHeaderSize));
        ByteVector data(rawBody.data(), static_cast<unsigned int>(rawBody.size()));
        if (header.unsynchronisation() && version_ <= 3) data = ID3v2::SynchData::decode(data);
        FrameWalk walk(data, header);
        // An extended header is left out: its checksum would be wrong.
        size_t copied = std::min<size_t>(walk.position(), data.size());
        std::vector<OldFrame> frames;
        while (auto found = walk.next()) {
            auto &[extent, bytes] = *found;
            frames.push_back({extent, walk.position(), bytes, subjectOf(extent, bytes, header)});
        }
        findCover(frames);
        for (const OldFrame &old : frames) {
            body_ += toString(data.mid(
                static_cast<unsigned int>(copied), static_cast<unsigned int>(old.extent.start - copied)));
            copied = old.end;
            if (const auto *lyrics = changedLyrics(old)) {
                isChanged_ = true;
                if (*lyrics) addLyrics(**lyrics);
            } else if (isToGo(old)) {
                isChanged_ = true;
                addInPlaceOf(old);
            } else {
                std::string kept = toString(old.bytes);
                if (version_ == 4 && header.unsynchronisation()) markUnsynchronised(kept);
                body_ += kept;
            }
        }
        addMissing();
        if (!isChanged_) return std::nullopt;
        const std::string rest = toString(data.mid(static_cast<unsigned int>(copied)));
        const bool isPadding = std::all_of(rest.begin(), rest.end(), [](char byte) { return byte == 0; });
        // What cannot be read as frames may still be of use to somebody.
        if (!isPadding) body_ += rest;
        return finished(static_cast<unsigned char>(tagHeader[5]) & experimentalFlag, rawBody.size(), isPadding);
    }

    /// A tag for a file that has none.
    std::string created() {
        addMissing();
        return finished(0, 0, true);
    }

private:
    /// The cover is what is marked as front cover; where nothing is, the first picture of the type "other", which
    /// programs that know no types write.
    void findCover(const std::vector<OldFrame> &frames) {
        for (size_t i = 0; i < frames.size(); ++i) {
            if (frames[i].subject.pictureType == 3) {
                coverType_ = 3;
                return;
            }
            if (frames[i].subject.pictureType == 0 && !otherCover_) otherCover_ = frames[i].extent.start;
        }
    }

    /// What is to become of a lyrics frame, if anything is.
    const std::optional<NewLyricsFrame> *changedLyrics(const OldFrame &old) {
        if (!isLyrics(old.extent.id)) return nullptr;
        const auto found = edits_.lyrics.changed.find(lyricsCount_++);
        return found == edits_.lyrics.changed.end() ? nullptr : &found->second;
    }

    void addLyrics(const NewLyricsFrame &lyrics) {
        isChanged_ = true;
        body_ += frame(
            version_, lyricsFrameName(lyrics.isSynchronised, version_),
            version_ == 4 ? lyrics.content : lyrics.olderContent);
    }

    bool isToGo(const OldFrame &old) const {
        if (old.subject.pictureType) {
            if (edits_.cover == CoverChange::leave) return false;
            return coverType_ ? old.subject.pictureType == coverType_ : otherCover_ == old.extent.start;
        }
        if (!old.subject.field) return false;
        const auto &change = edits_.texts[static_cast<size_t>(*old.subject.field)];
        return change && (change->isRemoval || !old.subject.isFallback);
    }

    void addInPlaceOf(const OldFrame &old) {
        if (old.subject.pictureType) {
            addCover();
        } else if (old.subject.field) {
            addText(*old.subject.field, old.subject.language);
        }
    }

    void addText(ctaglib_field field, const std::string &language) {
        const auto &change = edits_.texts[static_cast<size_t>(field)];
        if (!addsFrames_ || !change || change->isRemoval || isAdded_[static_cast<size_t>(field)]) return;
        isAdded_[static_cast<size_t>(field)] = true;
        isChanged_ = true;
        body_ += textFrame(field, change->text, version_, language);
    }

    void addCover() {
        if (!addsFrames_ || edits_.cover != CoverChange::set || isCoverAdded_) return;
        isCoverAdded_ = true;
        isChanged_ = true;
        body_ += pictureFrame(edits_.picture, version_);
    }

    void addMissing() {
        for (int field = 0; field < CTAGLIB_FIELD_COUNT; ++field) addText(static_cast<ctaglib_field>(field), "");
        addCover();
        if (!addsFrames_) return;
        for (const NewLyricsFrame &lyrics : edits_.lyrics.added) addLyrics(lyrics);
    }

    /// Says in a frame itself that its content is unsynchronised, as the tag's header will say it no more.
    static void markUnsynchronised(std::string &frame) {
        if (frame.find(std::string("\xFF\0", 2), 10) != std::string::npos) frame[9] |= 0x02;
    }

    std::string finished(unsigned char flags, size_t oldSize, bool mayPad) {
        if (mayPad) {
            const bool fits = body_.size() <= oldSize && oldSize - body_.size() <= maximumPadding;
            body_.resize(fits ? oldSize : body_.size() + newPadding);
        }
        if (body_.size() > maximumTagSize || body_.size() > maximumTagBytes) throw UnsupportedTag{};
        std::string tag = "ID3";
        tag += static_cast<char>(version_);
        tag += '\0';
        tag += static_cast<char>(flags);
        tag += toString(ID3v2::SynchData::fromUInt(static_cast<unsigned int>(body_.size())));
        return tag + body_;
    }

    const TagEdits &edits_;
    const unsigned int version_;
    const bool addsFrames_;
    size_t &lyricsCount_;
    std::string body_;
    bool isChanged_ = false;
    bool isCoverAdded_ = false;
    std::array<bool, CTAGLIB_FIELD_COUNT> isAdded_{};
    std::optional<int> coverType_;
    std::optional<size_t> otherCover_;
};

}  // namespace

void rewriteID3v2(const RegularFile &file, const TagEdits &edits, TagRewrite &rewrite) {
    const TagEdits wanted = outstanding(file, edits);
    uint64_t offset = 0;
    int count = 0;
    size_t lyricsCount = 0;
    for (; count < maximumStackedTags; ++count) {
        const std::string start = file.read(offset, tagHeaderSize);
        if (start.size() < tagHeaderSize || start.compare(0, 3, "ID3") != 0) break;
        const ID3v2::Header header(ByteVector(start.data(), tagHeaderSize));
        const unsigned int version = header.majorVersion();
        if (version < 2 || version > 4) break;
        const uint64_t end = offset + header.completeTagSize();
        if (header.tagSize() > maximumTagBytes || end > file.size()) throw UnsupportedTag{};
        const std::string body = file.read(offset + tagHeaderSize, header.tagSize());
        if (const auto tag = TagBuilder(wanted, version, count == 0, lyricsCount).rebuilt(start, body)) {
            rewrite.leading += *tag;
            rewrite.isChanged = true;
        } else {
            rewrite.leading += file.read(offset, static_cast<size_t>(end - offset));
        }
        offset = end;
    }
    rewrite.keptStart = offset;
    if (count == 0 && hasSomethingToSet(wanted)) {
        rewrite.leading = TagBuilder(wanted, 4, true, lyricsCount).created();
        rewrite.isChanged = true;
    }
}

}  // namespace ctaglib
