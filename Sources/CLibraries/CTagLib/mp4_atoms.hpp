#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "regular_file.hpp"

namespace ctaglib {

/// A file may have any number of boxes in front of its index.
constexpr int maximumTopBoxes = 100'000;
/// Size of the header of a `data` box: size, type, kind of value, locale.
constexpr size_t dataHeaderSize = 16;

/// Kinds of values in `data` boxes (QuickTime File Format, well-known types).
enum class MP4Value { implicit = 0, utf8 = 1, utf16 = 2, jpeg = 13, png = 14, integer = 21 };

/// Location of a box (ISO/IEC 14496-12 §4.2) in a file or in bytes that were read from it.
struct MP4Atom {
    /// Four bytes.
    std::string type;
    uint64_t start = 0;
    /// Offset of the content, after the header.
    uint64_t content = 0;
    uint64_t end = 0;
    /// Whether it claims to be longer than what contains it.
    bool isCut = false;

    size_t size() const { return static_cast<size_t>(end - start); }
};

/// Whether a file starts like an MP4 file.
bool isMP4(const RegularFile &file);

/// Calls a function for each box of a file, until it returns false or no valid header follows.
void forEachAtom(const RegularFile &file, const std::function<bool(const MP4Atom &)> &visit);

/// Returns the boxes in a range of bytes, up to the first invalid header or a limit, and where they end.
std::vector<MP4Atom> atoms(const std::string &bytes, size_t start, size_t end, size_t *rest = nullptr);

/// Returns the first box of a type.
std::optional<MP4Atom> firstAtom(const std::vector<MP4Atom> &atoms, const char *type);

/// Returns where the boxes in a `meta` box start: after its version, which QuickTime's has not.
size_t metaStart(const std::string &bytes, const MP4Atom &meta);

/// Whether a `meta` box has the tags of iTunes: those of other handlers have other keys.
bool hasITunesTags(const std::string &bytes, const MP4Atom &meta);

/// Returns a box.
std::string makeAtom(const std::string &type, const std::string &content);

/// Returns a number in big-endian bytes.
std::string bigEndianBytes(uint64_t value, int byteCount);

/// Returns the number in up to eight big-endian bytes.
uint64_t numberIn(const std::string &bytes, size_t start, size_t count);

/// The path of the box that contains the tags: in `moov`.
struct MP4TagPath {
    std::optional<MP4Atom> userData, meta, list;
};

/// Finds the tags in the content of a `moov` box.
MP4TagPath findTagPath(const std::string &movie, size_t start);

}  // namespace ctaglib
