#pragma once
#include <optional>
#include <string>
#include <vector>

#include "include/ctaglib.h"
#include "mp4_atoms.hpp"

namespace ctaglib {

/// The purpose of an item of an `ilst` box.
struct ItemSubject {
    /// Nothing for items that are no fields.
    std::optional<ctaglib_field> field;
    bool isLyrics = false;
    bool isCover = false;
};

/// An item and its values.
struct MP4Item {
    MP4Atom atom;
    /// The `data` boxes.
    std::vector<MP4Atom> values;
    ItemSubject subject;
};

/// Returns the items of an `ilst` box in a `moov` box, and where they end.
std::vector<MP4Item> itemsOf(const std::string &movie, const MP4Atom &list, size_t *rest = nullptr);

/// Returns a value as text: a number in a set as "3/12", others in decimal.
std::string textOf(const std::string &movie, const MP4Item &item, const MP4Atom &value);

/// Returns the item for a field, with a text. Throws UnsupportedTag for what it cannot hold.
std::string makeItem(ctaglib_field field, const std::string &text);
/// Returns an item with a text in UTF-8.
std::string makeTextItem(const char *type, const std::string &text);
/// Returns a `data` box.
std::string makeValue(MP4Value kind, const std::string &value);

}  // namespace ctaglib
