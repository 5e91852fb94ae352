#pragma once
#include <stddef.h>

// A C interface for reading and editing the tags of music files, with TagLib for the frames of ID3v2. No function throws
// C++ exceptions. A handle returned by a read function is freed with the function of the same name that ends in _free.

#ifdef __cplusplus
extern "C" {
#endif

/// Result of a call.
typedef enum ctaglib_status {
    CTAGLIB_OK = 0,
    CTAGLIB_CANNOT_OPEN = 1,       // see the system error
    CTAGLIB_NOT_A_REGULAR_FILE = 2,
    CTAGLIB_READ_FAILED = 3,       // see the system error
    CTAGLIB_NO_MEMORY = 4,
    CTAGLIB_INTERNAL = 5,
    CTAGLIB_UNSUPPORTED_TAG = 6,    // too large, truncated, or overlapping tags
    CTAGLIB_PICTURE_TOO_LARGE = 7   // for a metadata block of FLAC
} ctaglib_status;

/// Text fields of a tag.
typedef enum ctaglib_field {
    CTAGLIB_TITLE = 0,
    CTAGLIB_ARTIST,
    CTAGLIB_ALBUM,
    CTAGLIB_ALBUM_ARTIST,
    CTAGLIB_TRACK,  // "3" or "3/12"
    CTAGLIB_DISC,   // "1" or "1/2"
    CTAGLIB_DATE,   // starts with the year
    CTAGLIB_GENRE,
    CTAGLIB_COMPOSER,
    CTAGLIB_COMMENT,
    CTAGLIB_COMPILATION,  // "1" for a compilation
    CTAGLIB_BPM,          // beats per minute
    CTAGLIB_INITIAL_KEY,  // "F#m"
    CTAGLIB_MUSICBRAINZ_ALBUM_ID,
    CTAGLIB_REPLAYGAIN_TRACK_GAIN,
    CTAGLIB_REPLAYGAIN_TRACK_PEAK,
    CTAGLIB_REPLAYGAIN_ALBUM_GAIN,
    CTAGLIB_REPLAYGAIN_ALBUM_PEAK,
    CTAGLIB_MIXRAMP_START,
    CTAGLIB_MIXRAMP_END,
    CTAGLIB_MIXRAMP_REFERENCE,
    CTAGLIB_ISRC,
    CTAGLIB_MUSICBRAINZ_TRACK_ID,  // of the recording
    CTAGLIB_TITLE_SORT,
    CTAGLIB_MOOD,
    CTAGLIB_ADVISORY,  // "1" for explicit, "2" for clean
    CTAGLIB_LYRICIST,
    CTAGLIB_CONDUCTOR,
    CTAGLIB_REMIXER,
    CTAGLIB_FIELD_COUNT
} ctaglib_field;

/// Tag formats in a file, as bits.
enum {
    CTAGLIB_HAS_ID3V2 = 1,
    CTAGLIB_HAS_APE = 2,
    CTAGLIB_HAS_ID3V1 = 4,
    CTAGLIB_HAS_VORBIS = 8,
    CTAGLIB_HAS_INFO = 16,  // texts of RIFF INFO or of AIFF
    CTAGLIB_HAS_MP4 = 32
};

/// How a file contains audio and tags.
typedef enum ctaglib_container {
    CTAGLIB_MPEG = 0,  // also any file that is none of the others
    CTAGLIB_FLAC = 1,
    CTAGLIB_WAV = 2,   // RIFF, RF64 or BW64
    CTAGLIB_AIFF = 3,
    CTAGLIB_OGG = 4,  // with Opus or Vorbis
    CTAGLIB_MP4 = 5
} ctaglib_container;

/// Bytes owned by the handle they came from. Text is UTF-8 provided that the text in the file is valid.
typedef struct ctaglib_bytes {
    const unsigned char *start;
    size_t count;
} ctaglib_bytes;

typedef struct ctaglib_tags ctaglib_tags;
typedef struct ctaglib_cover ctaglib_cover;

/// Reads all texts. *system_error is errno if the status refers to it.
ctaglib_status ctaglib_tags_read(const char *path, ctaglib_tags **tags, int *system_error);
/// Like ctaglib_tags_read, for an open file, whose position does not change and which is not closed.
ctaglib_status ctaglib_tags_read_open(int descriptor, ctaglib_tags **tags, int *system_error);
/// Returns a text; empty if the file has none.
ctaglib_bytes ctaglib_tags_field(const ctaglib_tags *tags, ctaglib_field field);
/// Whether a text was joined from multiple values with "; ".
int ctaglib_tags_has_several(const ctaglib_tags *tags, ctaglib_field field);
/// CTAGLIB_HAS_… bits.
int ctaglib_tags_kinds(const ctaglib_tags *tags);
/// Whether ctaglib_cover_read would find a picture.
int ctaglib_tags_has_cover(const ctaglib_tags *tags);
void ctaglib_tags_free(ctaglib_tags *tags);

/// Reads the cover: the front cover, or the first picture if none is marked as such. *cover is NULL without a picture.
ctaglib_status ctaglib_cover_read(const char *path, ctaglib_cover **cover, int *system_error);
/// Like ctaglib_cover_read, for an open file.
ctaglib_status ctaglib_cover_read_open(int descriptor, ctaglib_cover **cover, int *system_error);
/// Whether the picture is marked as the front cover.
int ctaglib_cover_is_front(const ctaglib_cover *cover);
/// Returns the MIME type stated in the tag; may be empty or wrong.
ctaglib_bytes ctaglib_cover_mime_type(const ctaglib_cover *cover);
ctaglib_bytes ctaglib_cover_picture(const ctaglib_cover *cover);
void ctaglib_cover_free(ctaglib_cover *cover);

typedef struct ctaglib_lyrics ctaglib_lyrics;

/// How lyrics are stored.
typedef enum ctaglib_lyrics_kind {
    CTAGLIB_LYRICS_USLT = 0,
    CTAGLIB_LYRICS_SYLT = 1,
    CTAGLIB_LYRICS_COMMENT = 2  // a Vorbis comment or an item of MP4: plain text or LRC in UTF-8
} ctaglib_lyrics_kind;

/// Reads the lyrics of a file in order: the Vorbis comments of a FLAC or Ogg file or the items of an MP4 file, then the frames (USLT,
/// SYLT) of the ID3v2 tags.
ctaglib_status ctaglib_lyrics_read_open(int descriptor, ctaglib_lyrics **lyrics, int *system_error);
/// The container of the file, which decides how new lyrics are stored.
ctaglib_container ctaglib_lyrics_container(const ctaglib_lyrics *lyrics);
size_t ctaglib_lyrics_count(const ctaglib_lyrics *lyrics);
ctaglib_lyrics_kind ctaglib_lyrics_kind_at(const ctaglib_lyrics *lyrics, size_t place);
/// Whether the content is available: false for frames that are encrypted, compressed or too large.
int ctaglib_lyrics_is_readable(const ctaglib_lyrics *lyrics, size_t place);
/// Returns the content of a frame without its header, or the value of a comment.
ctaglib_bytes ctaglib_lyrics_content(const ctaglib_lyrics *lyrics, size_t place);
void ctaglib_lyrics_free(ctaglib_lyrics *lyrics);

typedef struct ctaglib_edit ctaglib_edit;
typedef struct ctaglib_rewrite ctaglib_rewrite;

/// Creates an edit without changes; NULL if out of memory.
ctaglib_edit *ctaglib_edit_new(void);
/// Sets a text in UTF-8. The fields from CTAGLIB_TITLE to CTAGLIB_INITIAL_KEY and those of ReplayGain can be edited.
ctaglib_status ctaglib_edit_set(ctaglib_edit *edit, ctaglib_field field, const char *text, size_t count);
/// Removes a text.
ctaglib_status ctaglib_edit_remove(ctaglib_edit *edit, ctaglib_field field);
/// Sets the front cover; the type must be image/jpeg or image/png.
ctaglib_status ctaglib_edit_set_cover(
    ctaglib_edit *edit, const char *mime_type, const unsigned char *picture, size_t count);
/// Removes the front cover.
ctaglib_status ctaglib_edit_remove_cover(ctaglib_edit *edit);
/// Index of new lyrics.
#define CTAGLIB_NEW_LYRICS ((size_t)-1)
/// Replaces the lyrics at an index, or adds some: with content for ID3v2.4 or a comment, and content for earlier versions of
/// ID3v2. A comment cannot be stored in an ID3v2 tag, nor a frame in a comment: such a rewrite fails.
ctaglib_status ctaglib_edit_set_lyrics(
    ctaglib_edit *edit, size_t place, ctaglib_lyrics_kind kind, const unsigned char *content, size_t count,
    const unsigned char *older_content, size_t older_count);
/// Removes the lyrics at an index.
ctaglib_status ctaglib_edit_remove_lyrics(ctaglib_edit *edit, size_t place);
void ctaglib_edit_free(ctaglib_edit *edit);

/// Computes the result of an edit to an open file: new bytes, a range of the old file, new bytes. Nothing is written.
ctaglib_status ctaglib_rewrite_make(
    const ctaglib_edit *edit, int descriptor, ctaglib_rewrite **rewrite, int *system_error);
/// The container of the file.
ctaglib_container ctaglib_rewrite_container(const ctaglib_rewrite *rewrite);
/// Whether the result differs from the old file.
int ctaglib_rewrite_is_changed(const ctaglib_rewrite *rewrite);
ctaglib_bytes ctaglib_rewrite_leading(const ctaglib_rewrite *rewrite);
/// The range kept from the old file: first byte, and one past the last byte.
size_t ctaglib_rewrite_kept_start(const ctaglib_rewrite *rewrite);
size_t ctaglib_rewrite_kept_end(const ctaglib_rewrite *rewrite);
/// By how much the numbers of the pages of a stream of Ogg rise in the kept range, up to the end of that stream; usually 0.
unsigned int ctaglib_rewrite_page_shift(const ctaglib_rewrite *rewrite);
/// The serial number of that stream.
unsigned int ctaglib_rewrite_page_serial(const ctaglib_rewrite *rewrite);
ctaglib_bytes ctaglib_rewrite_trailing(const ctaglib_rewrite *rewrite);
void ctaglib_rewrite_free(ctaglib_rewrite *rewrite);

#ifdef __cplusplus
}
#endif
