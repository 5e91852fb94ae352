// The boxes are assembled here, since TagLib's own writer drops values that it does not know, and does not change the offsets of
// fragments.

#include "mp4_writer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "mp4_items.hpp"
#include "mp4_tags.hpp"

namespace ctaglib {
namespace {

/// Free space after an index that must grow: room for later edits by any program.
constexpr size_t newPadding = 8192;

std::string bytesOf(const std::string &bytes, const MP4Atom &atom) {
    return bytes.substr(static_cast<size_t>(atom.start), atom.size());
}

std::string freeSpace(size_t size) { return makeAtom("free", std::string(size - 8, '\0')); }

/// Changes the items of a file.
class ItemEditor {
public:
    ItemEditor(const TagEdits &edits, const std::string &movie) : edits_(edits), movie_(movie) {}

    /// Returns the content of the list with the edits applied.
    std::string edited(const std::optional<MP4Atom> &list) {
        std::string result;
        if (list) {
            size_t rest = 0;
            for (const MP4Item &item : itemsOf(movie_, *list, &rest)) result += replacement(item);
            // A list that cannot be read to its end cannot be written without loss.
            if (rest != list->end) throw UnsupportedTag{};
        }
        addMissing(result);
        return result;
    }

private:
    std::string replacement(const MP4Item &item) {
        const std::string old = bytesOf(movie_, item.atom);
        if (item.subject.isLyrics) return lyrics(old);
        if (item.subject.isCover && edits_.cover != CoverChange::leave) return cover(item);
        if (!item.subject.field) return old;
        const auto index = static_cast<size_t>(*item.subject.field);
        const auto &change = edits_.texts[index];
        if (!change) return old;
        if (change->isRemoval || std::exchange(isWritten_[index], true)) return {};
        // A free-form item keeps its owner and its name.
        return item.atom.type == "----" ? withValue(item, makeValue(MP4Value::utf8, change->text))
                                        : makeItem(*item.subject.field, change->text);
    }

    /// Returns an item with a value in place of all others.
    std::string withValue(const MP4Item &item, const std::string &value) const {
        std::string content;
        bool isDone = false;
        for (const MP4Atom &part :
             atoms(movie_, static_cast<size_t>(item.atom.content), static_cast<size_t>(item.atom.end))) {
            if (part.type != "data") {
                content += bytesOf(movie_, part);
            } else if (!std::exchange(isDone, true)) {
                content += value;
            }
        }
        if (!isDone) content += value;
        return makeAtom(item.atom.type, content);
    }

    std::string newCover() const {
        return makeValue(
            edits_.picture.mimeType == "image/png" ? MP4Value::png : MP4Value::jpeg, edits_.picture.data);
    }

    /// Replaces the first picture, or removes all: none is marked as the cover.
    std::string cover(const MP4Item &item) {
        if (edits_.cover == CoverChange::remove) return {};
        if (std::exchange(hasCover_, true)) return bytesOf(movie_, item.atom);
        std::string content;
        bool isDone = false;
        for (const MP4Atom &part :
             atoms(movie_, static_cast<size_t>(item.atom.content), static_cast<size_t>(item.atom.end))) {
            const bool isReplaced = part.type == "data" && !std::exchange(isDone, true);
            content += isReplaced ? newCover() : bytesOf(movie_, part);
        }
        if (!isDone) content += newCover();
        return makeAtom("covr", content);
    }

    std::string lyrics(const std::string &old) {
        const auto found = edits_.lyrics.changed.find(lyricsCount_++);
        if (found == edits_.lyrics.changed.end()) return old;
        return found->second ? newLyrics(*found->second) : std::string{};
    }

    static std::string newLyrics(const NewLyricsFrame &lyrics) {
        if (lyrics.kind != CTAGLIB_LYRICS_COMMENT) throw UnsupportedTag{};
        return makeTextItem("\251lyr", lyrics.content);
    }

    void addMissing(std::string &items) {
        for (size_t index = 0; index < CTAGLIB_FIELD_COUNT; ++index) {
            const auto &change = edits_.texts[index];
            if (!change || change->isRemoval || isWritten_[index]) continue;
            items += makeItem(static_cast<ctaglib_field>(index), change->text);
        }
        for (const NewLyricsFrame &lyrics : edits_.lyrics.added) items += newLyrics(lyrics);
        if (edits_.cover == CoverChange::set && !hasCover_) items += makeAtom("covr", newCover());
    }

    const TagEdits &edits_;
    const std::string &movie_;
    std::array<bool, CTAGLIB_FIELD_COUNT> isWritten_{};
    bool hasCover_ = false;
    size_t lyricsCount_ = 0;
};

/// Returns the boxes in a range with one of them replaced, or with one added after them. What follows the boxes is kept.
std::string withAtom(
    const std::string &bytes, size_t start, size_t end, const std::optional<MP4Atom> &old,
    const std::string &replacement) {
    size_t rest = 0;
    atoms(bytes, start, end, &rest);
    if (!old) return bytes.substr(start, rest - start) + replacement + bytes.substr(rest, end - rest);
    const auto first = static_cast<size_t>(old->start);
    const auto last = static_cast<size_t>(old->end);
    return bytes.substr(start, first - start) + replacement + bytes.substr(last, end - last);
}

/// Returns the boxes of `meta` with another list. Free space between them takes up the difference where it can.
std::string withList(const std::string &movie, const MP4TagPath &path, const std::string &list) {
    const std::string newList = makeAtom("ilst", list);
    if (!path.meta) {
        const std::string handler =
            std::string(8, '\0') + "mdir" + "appl" + std::string(9, '\0');
        return std::string(4, '\0') + makeAtom("hdlr", handler) + newList;
    }
    const auto content = static_cast<size_t>(path.meta->content);
    const auto end = static_cast<size_t>(path.meta->end);
    const size_t start = metaStart(movie, *path.meta);
    std::string boxes = withAtom(movie, start, end, path.list, newList);
    const size_t oldSize = path.list ? path.list->size() : 0;
    for (const MP4Atom &atom : atoms(boxes, 0, boxes.size())) {
        if (atom.type != "free") continue;
        const size_t available = atom.size() + oldSize;
        if (available != newList.size() && available < newList.size() + 8) continue;
        const size_t left = available - newList.size();
        boxes.replace(static_cast<size_t>(atom.start), atom.size(), left == 0 ? std::string{} : freeSpace(left));
        break;
    }
    return movie.substr(content, start - content) + boxes;
}

/// Returns the content of `moov` with another list of tags.
std::string withTags(const std::string &movie, const std::string &list) {
    const MP4TagPath path = findTagPath(movie, 0);
    const std::string meta = makeAtom("meta", withList(movie, path, list));
    if (!path.userData) return withAtom(movie, 0, movie.size(), std::nullopt, makeAtom("udta", meta));
    const std::string userData = withAtom(
        movie, static_cast<size_t>(path.userData->content), static_cast<size_t>(path.userData->end), path.meta, meta);
    return withAtom(movie, 0, movie.size(), path.userData, makeAtom("udta", userData));
}

/// The boxes of a file around its index.
struct Layout {
    std::optional<MP4Atom> movie;
    /// End of the free space that follows the index.
    uint64_t freeEnd = 0;
    bool hasMediaBefore = false;
    bool hasMediaAfter = false;
    /// Whether boxes have offsets in the file that are not in the index.
    bool hasOtherOffsets = false;
};

/// Whether a fragment states offsets in the file.
bool hasAbsoluteOffsets(const RegularFile &file, const MP4Atom &fragment) {
    const uint64_t size = fragment.end - fragment.content;
    if (size > maximumTagBytes) return true;
    const std::string bytes = file.read(fragment.content, static_cast<size_t>(size));
    for (const MP4Atom &track : atoms(bytes, 0, bytes.size())) {
        if (track.type != "traf") continue;
        const auto parts = atoms(bytes, static_cast<size_t>(track.content), static_cast<size_t>(track.end));
        const auto header = firstAtom(parts, "tfhd");
        if (!header || header->end - header->content < 4) return true;
        if ((numberIn(bytes, static_cast<size_t>(header->content), 4) & 1) != 0) return true;
        if (firstAtom(parts, "saio")) return true;
    }
    return false;
}

Layout layoutOf(const RegularFile &file) {
    Layout layout;
    bool isAfterMovie = false;
    forEachAtom(file, [&](const MP4Atom &atom) {
        if (atom.type == "moov" && !layout.movie) {
            layout.movie = atom;
            layout.freeEnd = atom.end;
            isAfterMovie = true;
            return true;
        }
        if (isAfterMovie && layout.freeEnd == atom.start && (atom.type == "free" || atom.type == "skip") && !atom.isCut) {
            layout.freeEnd = atom.end;
        }
        const bool isFragment = atom.type == "moof";
        if (isFragment || atom.type == "mdat") (isAfterMovie ? layout.hasMediaAfter : layout.hasMediaBefore) = true;
        if (atom.type == "mfra" || (atom.type == "sidx" && !isAfterMovie)
            || (isFragment && !layout.hasOtherOffsets && hasAbsoluteOffsets(file, atom))) {
            layout.hasOtherOffsets = true;
        }
        return true;
    });
    return layout;
}

/// Adds a distance to the offsets of a table that are behind a place.
void moveTable(std::string &movie, const MP4Atom &table, int width, uint64_t behind, uint64_t distance) {
    const auto start = static_cast<size_t>(table.content);
    if (table.end - table.content < 8) throw UnsupportedTag{};
    const uint64_t count = numberIn(movie, start + 4, 4);
    if (count > (table.end - table.content - 8) / static_cast<uint64_t>(width)) throw UnsupportedTag{};
    for (uint64_t entry = 0; entry < count; ++entry) {
        const size_t place = start + 8 + static_cast<size_t>(entry) * static_cast<size_t>(width);
        const uint64_t offset = numberIn(movie, place, static_cast<size_t>(width));
        if (offset < behind) continue;
        if (width == 4 && offset + distance > 0xFFFF'FFFF) throw UnsupportedTag{};
        movie.replace(place, static_cast<size_t>(width), bigEndianBytes(offset + distance, width));
    }
}

/// Adds a distance to all offsets of the tracks that are behind a place.
void moveMedia(std::string &movie, uint64_t behind, uint64_t distance) {
    const auto children = [&](const MP4Atom &atom) {
        return atoms(movie, static_cast<size_t>(atom.content), static_cast<size_t>(atom.end));
    };
    for (const MP4Atom &track : atoms(movie, 0, movie.size())) {
        if (track.type != "trak") continue;
        const auto media = firstAtom(children(track), "mdia");
        const auto information = media ? firstAtom(children(*media), "minf") : std::nullopt;
        const auto table = information ? firstAtom(children(*information), "stbl") : std::nullopt;
        if (!table) continue;
        for (const MP4Atom &atom : children(*table)) {
            if (atom.type == "saio") throw UnsupportedTag{};
            if (atom.type == "stco") moveTable(movie, atom, 4, behind, distance);
            if (atom.type == "co64") moveTable(movie, atom, 8, behind, distance);
        }
    }
}

/// Returns the edits without those that the tags already fulfil.
TagEdits outstanding(const RegularFile &file, const TagEdits &edits) {
    TagContents current;
    readMP4(file, current);
    TagEdits result = edits;
    for (size_t index = 0; index < result.texts.size(); ++index) {
        auto &change = result.texts[index];
        if (change && !change->isRemoval
            && states(current.fields[index], static_cast<ctaglib_field>(index), change->text)) {
            change.reset();
        }
    }
    if (result.cover == CoverChange::set && current.picture.data == result.picture.data) {
        result.cover = CoverChange::leave;
    }
    return result;
}

/// Writes the index in front of its media: into the same space, or with the media moved.
void writeInFront(const RegularFile &file, const Layout &layout, std::string movie, TagRewrite &rewrite) {
    const MP4Atom &old = *layout.movie;
    const auto available = static_cast<size_t>(layout.freeEnd - old.start);
    const size_t size = 8 + movie.size();
    size_t padding = 0;
    if (size + 8 <= available) {
        padding = available - size;
    } else if (size != available) {
        padding = 8 + newPadding;
        if (layout.hasOtherOffsets) throw UnsupportedTag{};
        moveMedia(movie, layout.freeEnd, size + padding - available);
    }
    if (old.start > maximumTagBytes) throw UnsupportedTag{};
    rewrite.leading = file.read(0, static_cast<size_t>(old.start)) + makeAtom("moov", movie);
    if (padding > 0) rewrite.leading += freeSpace(padding);
    rewrite.keptStart = layout.freeEnd;
    rewrite.keptEnd = file.size();
}

}  // namespace

void rewriteMP4(const RegularFile &file, const TagEdits &edits, TagRewrite &rewrite) {
    rewrite.container = CTAGLIB_MP4;
    rewrite.keptEnd = file.size();
    const Layout layout = layoutOf(file);
    if (!layout.movie || layout.movie->isCut) throw UnsupportedTag{};
    const MP4Atom &old = *layout.movie;
    if (old.end - old.content > maximumTagBytes) throw UnsupportedTag{};
    const std::string movie = file.read(old.content, static_cast<size_t>(old.end - old.content));
    size_t rest = 0;
    atoms(movie, 0, movie.size(), &rest);
    if (rest != movie.size()) throw UnsupportedTag{};
    const TagEdits wanted = outstanding(file, edits);
    const auto list = findTagPath(movie, 0).list;
    const std::string items = ItemEditor(wanted, movie).edited(list);
    const std::string before =
        list ? movie.substr(static_cast<size_t>(list->content), static_cast<size_t>(list->end - list->content)) : "";
    if (items == before) return;
    rewrite.isChanged = true;
    const std::string changed = withTags(movie, items);
    if (layout.hasMediaAfter) return writeInFront(file, layout, changed, rewrite);
    // Damage hides the audio, or there is far too much of something else.
    if (!layout.hasMediaBefore || file.size() - old.end > maximumTagBytes) throw UnsupportedTag{};
    rewrite.keptEnd = old.start;
    rewrite.trailing = makeAtom("moov", changed) + file.read(old.end, static_cast<size_t>(file.size() - old.end));
}

}  // namespace ctaglib
