#include "include/ctaglib.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>
#include <vector>

#include "chunk_texts.hpp"
#include "chunk_writer.hpp"
#include "chunks.hpp"
#include "flac_blocks.hpp"
#include "flac_tags.hpp"
#include "flac_writer.hpp"
#include "id3v2_lyrics.hpp"
#include "id3v2_reader.hpp"
#include "id3v2_writer.hpp"
#include "mp4_atoms.hpp"
#include "mp4_tags.hpp"
#include "mp4_writer.hpp"
#include "ogg_pages.hpp"
#include "ogg_tags.hpp"
#include "ogg_writer.hpp"
#include "regular_file.hpp"
#include "tag_contents.hpp"
#include "tag_edits.hpp"
#include "trailing_tags.hpp"
#include "trailing_writer.hpp"

struct ctaglib_tags {
    ctaglib::TagContents contents;
    bool hasCover = false;
};

struct ctaglib_cover {
    ctaglib::Picture picture;
};

struct ctaglib_lyrics {
    ctaglib_container container;
    std::vector<ctaglib::LyricsFrame> frames;
};

struct ctaglib_edit {
    ctaglib::TagEdits edits;
};

struct ctaglib_rewrite {
    ctaglib::TagRewrite rewrite;
};

namespace {

ctaglib::TagContents read(const ctaglib::RegularFile &file) {
    ctaglib::TagContents contents;
    if (ctaglib::isMP4(file)) {
        ctaglib::readMP4(file, contents);
        return contents;
    }
    if (const auto chunks = ctaglib::findChunks(file)) {
        ctaglib::readChunkTags(file, *chunks, contents);
        return contents;
    }
    ctaglib::readFLAC(file, contents);
    ctaglib::readOgg(file, contents);
    ctaglib::readID3v2(file, contents);
    ctaglib::readTrailingTags(file, contents);
    return contents;
}

ctaglib_container containerOf(const ctaglib::RegularFile &file) {
    if (ctaglib::isMP4(file)) return CTAGLIB_MP4;
    if (const auto chunks = ctaglib::findChunks(file)) return chunks->container;
    if (ctaglib::findFLAC(file)) return CTAGLIB_FLAC;
    return ctaglib::findOgg(file) ? CTAGLIB_OGG : CTAGLIB_MPEG;
}

ctaglib_bytes bytes(const std::string &text) {
    return {reinterpret_cast<const unsigned char *>(text.data()), text.size()};
}

std::vector<ctaglib::LyricsFrame> lyricsOf(const ctaglib::RegularFile &file) {
    if (ctaglib::isMP4(file)) return ctaglib::readMP4Lyrics(file);
    if (const auto chunks = ctaglib::findChunks(file)) {
        for (const ctaglib::Chunk &chunk : chunks->chunks) {
            if (chunk.isID3v2()) return ctaglib::readLyrics(ctaglib::RegularFile(file, chunk.content(), chunk.size));
        }
        return {};
    }
    auto all = ctaglib::findOgg(file) ? ctaglib::readOggLyrics(file) : ctaglib::readFLACLyrics(file);
    auto frames = ctaglib::readLyrics(file);
    std::move(frames.begin(), frames.end(), std::back_inserter(all));
    return all;
}

/// Runs the body and converts exceptions to a status.
template <typename Body>
ctaglib_status guarded(int *systemError, Body body) {
    *systemError = 0;
    try {
        body();
        return CTAGLIB_OK;
    } catch (const ctaglib::FileFailure &failure) {
        *systemError = failure.systemError;
        return failure.status;
    } catch (const ctaglib::UnsupportedTag &) {
        return CTAGLIB_UNSUPPORTED_TAG;
    } catch (const ctaglib::PictureTooLarge &) {
        return CTAGLIB_PICTURE_TOO_LARGE;
    } catch (const std::bad_alloc &) {
        return CTAGLIB_NO_MEMORY;
    } catch (...) {
        return CTAGLIB_INTERNAL;
    }
}

template <typename Source>
ctaglib_status readTags(Source source, ctaglib_tags **tags, int *systemError) {
    *tags = nullptr;
    return guarded(systemError, [&] {
        ctaglib::TagContents contents = read(ctaglib::RegularFile(source));
        const bool hasCover = !contents.picture.data.empty();
        contents.picture = {};
        *tags = new ctaglib_tags{std::move(contents), hasCover};
    });
}

template <typename Source>
ctaglib_status readCover(Source source, ctaglib_cover **cover, int *systemError) {
    *cover = nullptr;
    return guarded(systemError, [&] {
        ctaglib::TagContents contents = read(ctaglib::RegularFile(source));
        if (!contents.picture.data.empty()) *cover = new ctaglib_cover{std::move(contents.picture)};
    });
}

bool isEditable(ctaglib_field field) {
    return (field >= CTAGLIB_TITLE && field <= CTAGLIB_INITIAL_KEY)
           || (field >= CTAGLIB_REPLAYGAIN_TRACK_GAIN && field <= CTAGLIB_REPLAYGAIN_ALBUM_PEAK);
}

template <typename Body>
ctaglib_status changed(ctaglib_edit *edit, Body body) {
    int ignored = 0;
    return guarded(&ignored, [&] { body(edit->edits); });
}

}  // namespace

ctaglib_status ctaglib_tags_read(const char *path, ctaglib_tags **tags, int *system_error) {
    return readTags(path, tags, system_error);
}

ctaglib_status ctaglib_tags_read_open(int descriptor, ctaglib_tags **tags, int *system_error) {
    return readTags(descriptor, tags, system_error);
}

ctaglib_bytes ctaglib_tags_field(const ctaglib_tags *tags, ctaglib_field field) {
    if (field < 0 || field >= CTAGLIB_FIELD_COUNT) return {nullptr, 0};
    return bytes(tags->contents.fields[static_cast<size_t>(field)]);
}

int ctaglib_tags_has_several(const ctaglib_tags *tags, ctaglib_field field) {
    if (field < 0 || field >= CTAGLIB_FIELD_COUNT) return 0;
    return tags->contents.values[static_cast<size_t>(field)].size() > 1;
}

int ctaglib_tags_kinds(const ctaglib_tags *tags) { return tags->contents.kinds; }

int ctaglib_tags_has_cover(const ctaglib_tags *tags) { return tags->hasCover; }

void ctaglib_tags_free(ctaglib_tags *tags) { delete tags; }

ctaglib_status ctaglib_cover_read(const char *path, ctaglib_cover **cover, int *system_error) {
    return readCover(path, cover, system_error);
}

ctaglib_status ctaglib_cover_read_open(int descriptor, ctaglib_cover **cover, int *system_error) {
    return readCover(descriptor, cover, system_error);
}

int ctaglib_cover_is_front(const ctaglib_cover *cover) { return cover->picture.isFrontCover; }

ctaglib_bytes ctaglib_cover_mime_type(const ctaglib_cover *cover) { return bytes(cover->picture.mimeType); }

ctaglib_bytes ctaglib_cover_picture(const ctaglib_cover *cover) { return bytes(cover->picture.data); }

void ctaglib_cover_free(ctaglib_cover *cover) { delete cover; }

ctaglib_status ctaglib_lyrics_read_open(int descriptor, ctaglib_lyrics **lyrics, int *system_error) {
    *lyrics = nullptr;
    return guarded(system_error, [&] {
        const ctaglib::RegularFile file(descriptor);
        *lyrics = new ctaglib_lyrics{containerOf(file), lyricsOf(file)};
    });
}

ctaglib_container ctaglib_lyrics_container(const ctaglib_lyrics *lyrics) { return lyrics->container; }

size_t ctaglib_lyrics_count(const ctaglib_lyrics *lyrics) { return lyrics->frames.size(); }

ctaglib_lyrics_kind ctaglib_lyrics_kind_at(const ctaglib_lyrics *lyrics, size_t place) {
    return place < lyrics->frames.size() ? lyrics->frames[place].kind : CTAGLIB_LYRICS_USLT;
}

int ctaglib_lyrics_is_readable(const ctaglib_lyrics *lyrics, size_t place) {
    return place < lyrics->frames.size() && lyrics->frames[place].content.has_value();
}

ctaglib_bytes ctaglib_lyrics_content(const ctaglib_lyrics *lyrics, size_t place) {
    if (!ctaglib_lyrics_is_readable(lyrics, place)) return {nullptr, 0};
    return bytes(*lyrics->frames[place].content);
}

void ctaglib_lyrics_free(ctaglib_lyrics *lyrics) { delete lyrics; }

ctaglib_edit *ctaglib_edit_new(void) { return new (std::nothrow) ctaglib_edit; }

ctaglib_status ctaglib_edit_set(ctaglib_edit *edit, ctaglib_field field, const char *text, size_t count) {
    if (!isEditable(field)) return CTAGLIB_INTERNAL;
    return changed(edit, [&](ctaglib::TagEdits &edits) {
        edits.texts[static_cast<size_t>(field)] = ctaglib::TextChange{false, std::string(text, count)};
    });
}

ctaglib_status ctaglib_edit_remove(ctaglib_edit *edit, ctaglib_field field) {
    if (!isEditable(field)) return CTAGLIB_INTERNAL;
    return changed(edit, [&](ctaglib::TagEdits &edits) {
        edits.texts[static_cast<size_t>(field)] = ctaglib::TextChange{true, {}};
    });
}

ctaglib_status ctaglib_edit_set_cover(
    ctaglib_edit *edit, const char *mime_type, const unsigned char *picture, size_t count) {
    return changed(edit, [&](ctaglib::TagEdits &edits) {
        edits.cover = ctaglib::CoverChange::set;
        edits.picture.mimeType = mime_type;
        edits.picture.data.assign(reinterpret_cast<const char *>(picture), count);
        edits.picture.isFrontCover = true;
    });
}

ctaglib_status ctaglib_edit_remove_cover(ctaglib_edit *edit) {
    return changed(edit, [&](ctaglib::TagEdits &edits) { edits.cover = ctaglib::CoverChange::remove; });
}

ctaglib_status ctaglib_edit_set_lyrics(
    ctaglib_edit *edit, size_t place, ctaglib_lyrics_kind kind, const unsigned char *content, size_t count,
    const unsigned char *older_content, size_t older_count) {
    return changed(edit, [&](ctaglib::TagEdits &edits) {
        ctaglib::NewLyricsFrame frame;
        frame.kind = kind;
        frame.content.assign(reinterpret_cast<const char *>(content), count);
        frame.olderContent.assign(reinterpret_cast<const char *>(older_content), older_count);
        if (place == CTAGLIB_NEW_LYRICS) {
            edits.lyrics.added.push_back(std::move(frame));
        } else {
            edits.lyrics.changed[place] = std::move(frame);
        }
    });
}

ctaglib_status ctaglib_edit_remove_lyrics(ctaglib_edit *edit, size_t place) {
    return changed(edit, [&](ctaglib::TagEdits &edits) { edits.lyrics.changed[place] = std::nullopt; });
}

void ctaglib_edit_free(ctaglib_edit *edit) { delete edit; }

ctaglib_status ctaglib_rewrite_make(
    const ctaglib_edit *edit, int descriptor, ctaglib_rewrite **rewrite, int *system_error) {
    *rewrite = nullptr;
    return guarded(system_error, [&] {
        const ctaglib::RegularFile file(descriptor);
        ctaglib::TagRewrite made;
        if (ctaglib::isMP4(file)) {
            ctaglib::rewriteMP4(file, edit->edits, made);
            *rewrite = new ctaglib_rewrite{std::move(made)};
            return;
        }
        if (const auto chunks = ctaglib::findChunks(file)) {
            ctaglib::rewriteChunks(file, *chunks, edit->edits, made);
            *rewrite = new ctaglib_rewrite{std::move(made)};
            return;
        }
        if (const auto firstBlock = ctaglib::findFLAC(file)) {
            ctaglib::rewriteFLAC(file, *firstBlock, edit->edits, made);
        } else if (ctaglib::findOgg(file)) {
            ctaglib::rewriteOgg(file, edit->edits, made);
        } else {
            ctaglib::rewriteID3v2(file, edit->edits, made, true, 0);
        }
        ctaglib::rewriteTrailingTags(file, edit->edits, made);
        *rewrite = new ctaglib_rewrite{std::move(made)};
    });
}

ctaglib_container ctaglib_rewrite_container(const ctaglib_rewrite *rewrite) { return rewrite->rewrite.container; }

int ctaglib_rewrite_is_changed(const ctaglib_rewrite *rewrite) { return rewrite->rewrite.isChanged; }

ctaglib_bytes ctaglib_rewrite_leading(const ctaglib_rewrite *rewrite) { return bytes(rewrite->rewrite.leading); }

size_t ctaglib_rewrite_kept_start(const ctaglib_rewrite *rewrite) {
    return static_cast<size_t>(rewrite->rewrite.keptStart);
}

size_t ctaglib_rewrite_kept_end(const ctaglib_rewrite *rewrite) {
    return static_cast<size_t>(rewrite->rewrite.keptEnd);
}

unsigned int ctaglib_rewrite_page_shift(const ctaglib_rewrite *rewrite) { return rewrite->rewrite.pageShift; }

unsigned int ctaglib_rewrite_page_serial(const ctaglib_rewrite *rewrite) { return rewrite->rewrite.pageSerial; }

ctaglib_bytes ctaglib_rewrite_trailing(const ctaglib_rewrite *rewrite) { return bytes(rewrite->rewrite.trailing); }

void ctaglib_rewrite_free(ctaglib_rewrite *rewrite) { delete rewrite; }
