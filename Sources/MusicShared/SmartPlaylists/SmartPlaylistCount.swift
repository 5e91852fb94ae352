/// The number of tracks that rules select now: the answer of `POST /api/smart-playlists/count`.
public struct SmartPlaylistCount: Codable, Sendable, Equatable {
    /// Number of tracks that the playlist would have.
    public var trackCount: Int
    /// Number of tracks that match, without the limit.
    public var matchingCount: Int
    /// Total duration of the tracks that match, in seconds, without the limit.
    public var durationSeconds: Double

    /// Memberwise initializer.
    public init(trackCount: Int, matchingCount: Int, durationSeconds: Double) {
        self.trackCount = trackCount
        self.matchingCount = matchingCount
        self.durationSeconds = durationSeconds
    }

    private enum CodingKeys: String, CodingKey {
        case trackCount = "track_count"
        case matchingCount = "matching_count"
        case durationSeconds = "duration_seconds"
    }
}

/// A field that rules compare: an entry of `GET /api/smart-playlists/fields`.
public struct SmartFieldItem: Codable, Sendable, Equatable {
    /// The type of a field's values.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// Text.
        case text
        /// A number.
        case number
        /// True or false.
        case flag
        /// A point in time, compared by days (UTC).
        case date
    }

    /// Its name in rules.
    public var name: String
    /// A short name for people.
    public var label: String
    /// The type of its values.
    public var kind: Kind
    /// The unit of a number; empty if it has none.
    public var unit: String
    /// All values that it can have; nil if there is no such list.
    public var choices: [String]?
    /// The operators that it can be used with.
    public var operators: [String]

    /// Memberwise initializer.
    public init(
        name: String, label: String, kind: Kind, unit: String, choices: [String]?, operators: [String]
    ) {
        self.name = name
        self.label = label
        self.kind = kind
        self.unit = unit
        self.choices = choices
        self.operators = operators
    }
}
