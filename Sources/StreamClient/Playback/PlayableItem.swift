public import MusicShared

/// Something to play: where it is, and what is known of it beforehand.
public struct PlayableItem: Sendable, Equatable, Identifiable {
    /// Where sound is.
    public enum Location: Sendable, Equatable {
        /// A file on this machine.
        case file(path: String)
        /// An address: a playlist of HLS, a file, a station, or a list of stations. What it is shows when it is asked.
        case address(String, fields: TransportFields = [:])
    }

    /// Names it among others.
    public var id: String
    /// Where it is.
    public var location: Location
    /// Its number in the library of the host that it is of, if it is of one.
    public var trackID: Int?
    /// Title.
    public var title: String
    /// Artist.
    public var artist: String?
    /// Album.
    public var album: String?
    /// Length in seconds, where it is known.
    public var durationSeconds: Double?
    /// What is known of it where it meets another, and how loud it is.
    public var facts: CrossfadeTrack?

    /// Puts the parts together.
    public init(id: String, location: Location, title: String) {
        self.id = id
        self.location = location
        self.title = title
    }

    /// A file on this machine, named after itself.
    public init(file path: String) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        self.init(id: path, location: .file(path: path), title: name)
    }
}
