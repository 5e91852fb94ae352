public import MusicShared

/// Something to play: its location and its metadata.
public struct PlayableItem: Sendable, Equatable, Identifiable {
    /// The location of the audio.
    public enum Location: Sendable, Equatable {
        /// A local file.
        case file(path: String)
        /// The URL of an HLS playlist, a file, a station, or a list of stations. The type is detected when it is requested.
        case address(String, fields: TransportFields = [:])
    }

    /// Identifies the item among others.
    public var id: String
    /// The location of the audio.
    public var location: Location
    /// The track's id in its host's library; nil for other items.
    public var trackID: Int?
    /// The title.
    public var title: String
    /// The artist.
    public var artist: String?
    /// The album.
    public var album: String?
    /// Duration in seconds, if known.
    public var durationSeconds: Double?
    /// Loudness and transition data, if known.
    public var facts: CrossfadeTrack?

    /// Creates an item from its required parts.
    public init(id: String, location: Location, title: String) {
        self.id = id
        self.location = location
        self.title = title
    }

    /// Whether the item continues another: the next track of the same disc or, if neither has a position on an album, another
    /// file in the same folder.
    func continues(_ other: PlayableItem) -> Bool {
        if let place = facts?.place, let before = other.facts?.place { return place.follows(before) }
        guard facts?.place == nil, other.facts?.place == nil, case .file(let path) = location,
            case .file(let before) = other.location
        else { return false }
        func folder(_ path: String) -> Substring { path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }
        return path != before && folder(path) == folder(before)
    }

    /// An item for a local file, titled with its file name.
    public init(file path: String) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        self.init(id: path, location: .file(path: path), title: name)
    }
}
