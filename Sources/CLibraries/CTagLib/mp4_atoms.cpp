#include "mp4_atoms.hpp"

#include <algorithm>

#include "tag_contents.hpp"

namespace ctaglib {
namespace {

/// Reads the header of a box from up to 16 bytes at its start.
std::optional<MP4Atom> atomAt(const std::string &header, uint64_t position, uint64_t end) {
    if (header.size() < 8 || end - position < 8) return std::nullopt;
    uint64_t size = numberIn(header, 0, 4);
    MP4Atom atom;
    atom.type = header.substr(4, 4);
    atom.start = position;
    atom.content = position + 8;
    if (size == 1) {
        if (header.size() < 16 || end - position < 16) return std::nullopt;
        size = numberIn(header, 8, 8);
        atom.content += 8;
        if (size < 16) return std::nullopt;
    } else if (size == 0) {
        size = end - position;
    } else if (size < 8) {
        return std::nullopt;
    }
    atom.isCut = size > end - position;
    atom.end = atom.isCut ? end : position + size;
    return atom;
}

}  // namespace

bool isMP4(const RegularFile &file) { return file.read(4, 4) == "ftyp"; }

void forEachAtom(const RegularFile &file, const std::function<bool(const MP4Atom &)> &visit) {
    uint64_t position = 0;
    for (int count = 0; count < maximumTopBoxes && position < file.size(); ++count) {
        const auto atom = atomAt(file.read(position, 16), position, file.size());
        if (!atom || !visit(*atom)) return;
        position = atom->end;
    }
}

std::vector<MP4Atom> atoms(const std::string &bytes, size_t start, size_t end, size_t *rest) {
    std::vector<MP4Atom> found;
    size_t position = std::min(start, end);
    while (found.size() < maximumFrames) {
        const auto atom = atomAt(bytes.substr(position, std::min<size_t>(16, end - position)), position, end);
        if (!atom || atom->isCut) break;
        found.push_back(*atom);
        position = static_cast<size_t>(atom->end);
    }
    if (rest != nullptr) *rest = position;
    return found;
}

std::optional<MP4Atom> firstAtom(const std::vector<MP4Atom> &atoms, const char *type) {
    const auto found =
        std::find_if(atoms.begin(), atoms.end(), [&](const MP4Atom &atom) { return atom.type == type; });
    return found == atoms.end() ? std::nullopt : std::optional<MP4Atom>{*found};
}

size_t metaStart(const std::string &bytes, const MP4Atom &meta) {
    const auto content = static_cast<size_t>(meta.content);
    const bool isBare = meta.end - meta.content >= 8 && bytes.compare(content + 4, 4, "hdlr") == 0;
    return isBare ? content : std::min(content + 4, static_cast<size_t>(meta.end));
}

bool hasITunesTags(const std::string &bytes, const MP4Atom &meta) {
    const auto handler = firstAtom(atoms(bytes, metaStart(bytes, meta), static_cast<size_t>(meta.end)), "hdlr");
    return !handler
           || (handler->end - handler->content >= 12
               && bytes.compare(static_cast<size_t>(handler->content) + 8, 4, "mdir") == 0);
}

std::string makeAtom(const std::string &type, const std::string &content) {
    return bigEndianBytes(8 + content.size(), 4) + type + content;
}

std::string bigEndianBytes(uint64_t value, int byteCount) {
    std::string bytes;
    for (int i = byteCount - 1; i >= 0; --i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
    return bytes;
}

uint64_t numberIn(const std::string &bytes, size_t start, size_t count) {
    uint64_t value = 0;
    for (size_t i = 0; i < count; ++i) value = value << 8 | static_cast<unsigned char>(bytes[start + i]);
    return value;
}

MP4TagPath findTagPath(const std::string &movie, size_t start) {
    MP4TagPath path;
    path.userData = firstAtom(atoms(movie, start, movie.size()), "udta");
    if (!path.userData) return path;
    for (const MP4Atom &atom : atoms(
             movie, static_cast<size_t>(path.userData->content), static_cast<size_t>(path.userData->end))) {
        if (atom.type != "meta" || !hasITunesTags(movie, atom)) continue;
        path.meta = atom;
        path.list = firstAtom(atoms(movie, metaStart(movie, atom), static_cast<size_t>(atom.end)), "ilst");
        break;
    }
    return path;
}

}  // namespace ctaglib
