internal import HTTPServer
internal import MusicShared

// The parameters of lists and of routes that refer to a track by its path.

/// The sort order of a list: its key, and whether a minus sign reverses it.
package struct SortOrder<Key: Sendable>: Sendable {
    package let key: Key
    package let isDescending: Bool
}

/// Query parameters that several routes have.
package enum Query {
    /// Maximum number of items to return.
    package static let limit = limit(CatalogueLimits.defaultPage)
    /// Number of items to skip.
    package static let offset = QueryParameter<Int?>(
        "offset", "Number of items to skip.", in: 0...Int(Int32.max)
    ).standard(0)

    /// The search text; nil if it is empty or only white space.
    package static let search = QueryParameter<String?>(
        "q",
        "Search text: each of its words must be the beginning of a word in the item; accents, case and order are ignored. If "
            + "fewer than ten items match, words of five letters or more may have one typo. White space alone is ignored.",
        .text(example: "night"), default: nil, expected: "a text"
    ) { text in
        .some(text.allSatisfy { $0.isWhitespace || $0 == "\0" } ? nil : text)
    }

    /// The track of a request, by path.
    package static let relativePath = QueryParameter<String?>(
        "relative_path", "Path of the track relative to the music folder, as in the catalogue.",
        .text(example: "1.mp3")
    ).required()

    /// Requests an empty response for missing data.
    ///
    /// For data that many tracks lack, a missing value is not a client error. Browsers log every 404 as an error, so pages
    /// request an empty response instead.
    package static let emptyForMissing = QueryParameter<Bool>(
        "missing", "`empty` returns 204 instead of 404 if the track has none.", .oneOf(["empty"]),
        default: false, expected: "\"empty\""
    ) { $0 == "empty" ? true : nil }

    /// Returns the maximum number of items, with another default value.
    package static func limit(
        _ standard: Int, _ meaning: String = "Maximum number of items."
    ) -> QueryParameter<Int> {
        QueryParameter("limit", meaning, in: 1...CatalogueLimits.largestPage, default: standard)
    }

    /// Returns a filter of a list by the ID of an object.
    package static func only(_ name: String, _ meaning: String) -> QueryParameter<Int?> {
        QueryParameter(name, meaning, in: 1...Int(Int32.max))
    }

    /// Returns the sort order of a list: a name, prefixed with a minus sign for descending order.
    package static func sort<Key: RawRepresentable<String> & CaseIterable & Sendable>(
        _ type: Key.Type, _ meaning: String
    ) -> QueryParameter<SortOrder<Key>?> {
        let names = Key.allCases.map(\.rawValue)
        return QueryParameter(
            "sort", "\(meaning) A leading minus sign reverses it.", .oneOf(names + names.map { "-\($0)" }),
            expected:
                "one of \(names.joined(separator: ", ")), with a leading minus sign for descending order"
        ) { text in
            let isDescending = text.hasPrefix("-")
            return Key(rawValue: isDescending ? String(text.dropFirst()) : text).map {
                SortOrder(key: $0, isDescending: isDescending)
            }
        }
    }
}
