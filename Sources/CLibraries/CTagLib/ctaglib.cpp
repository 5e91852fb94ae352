#include "include/ctaglib.h"

#include <new>

#include "id3v2_reader.hpp"
#include "regular_file.hpp"
#include "tag_contents.hpp"
#include "trailing_tags.hpp"

struct ctaglib_tags {
    ctaglib::TagContents contents;
    bool hasCover = false;
};

struct ctaglib_cover {
    ctaglib::Picture picture;
};

namespace {

ctaglib::TagContents read(const char *path) {
    const ctaglib::RegularFile file(path);
    ctaglib::TagContents contents;
    ctaglib::readID3v2(file, contents);
    ctaglib::readTrailingTags(file, contents);
    return contents;
}

ctaglib_bytes bytes(const std::string &text) {
    return {reinterpret_cast<const unsigned char *>(text.data()), text.size()};
}

/// Runs the body and turns what it throws into a status.
template <typename Body>
ctaglib_status guarded(int *systemError, Body body) {
    *systemError = 0;
    try {
        body();
        return CTAGLIB_OK;
    } catch (const ctaglib::FileFailure &failure) {
        *systemError = failure.systemError;
        return failure.status;
    } catch (const std::bad_alloc &) {
        return CTAGLIB_NO_MEMORY;
    } catch (...) {
        return CTAGLIB_INTERNAL;
    }
}

}  // namespace

ctaglib_status ctaglib_tags_read(const char *path, ctaglib_tags **tags, int *system_error) {
    *tags = nullptr;
    return guarded(system_error, [&] {
        ctaglib::TagContents contents = read(path);
        const bool hasCover = !contents.picture.data.empty();
        contents.picture = {};
        *tags = new ctaglib_tags{std::move(contents), hasCover};
    });
}

ctaglib_bytes ctaglib_tags_field(const ctaglib_tags *tags, ctaglib_field field) {
    if (field < 0 || field >= CTAGLIB_FIELD_COUNT) return {nullptr, 0};
    return bytes(tags->contents.fields[static_cast<size_t>(field)]);
}

int ctaglib_tags_kinds(const ctaglib_tags *tags) { return tags->contents.kinds; }

int ctaglib_tags_has_cover(const ctaglib_tags *tags) { return tags->hasCover; }

void ctaglib_tags_free(ctaglib_tags *tags) { delete tags; }

ctaglib_status ctaglib_cover_read(const char *path, ctaglib_cover **cover, int *system_error) {
    *cover = nullptr;
    return guarded(system_error, [&] {
        ctaglib::TagContents contents = read(path);
        if (!contents.picture.data.empty()) *cover = new ctaglib_cover{std::move(contents.picture)};
    });
}

ctaglib_bytes ctaglib_cover_mime_type(const ctaglib_cover *cover) { return bytes(cover->picture.mimeType); }

ctaglib_bytes ctaglib_cover_picture(const ctaglib_cover *cover) { return bytes(cover->picture.data); }

void ctaglib_cover_free(ctaglib_cover *cover) { delete cover; }
