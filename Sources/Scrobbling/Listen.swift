/// A play of a track as it is sent to a service.
public struct Listen: Codable, Sendable, Equatable {
    /// The artist's name.
    public var artist: String
    /// The track's title.
    public var title: String
    /// The album's title.
    public var album: String?
    /// The album artist, if it is not the track's artist.
    public var albumArtist: String?
    /// Number of the track on its disc.
    public var trackNumber: Int?
    /// Length of the track in seconds.
    public var durationSeconds: Double?
    /// MusicBrainz identifier of the recording.
    public var recordingID: String?
    /// MusicBrainz identifier of the release.
    public var releaseID: String?
    /// International standard recording code.
    public var isrc: String?
    /// Time of the play in seconds since 1970.
    public var listenedAt: Int

    /// Creates a play with what every service requires.
    public init(artist: String, title: String, listenedAt: Int) {
        self.artist = artist
        self.title = title
        self.listenedAt = listenedAt
    }

    /// Whether so much of the track was played that it counts: half of it, or four minutes, whichever is less. Both services
    /// have this rule. Plays of unknown extent count: the player has applied the rule already.
    public func isLongEnough(secondsPlayed: Double?) -> Bool {
        guard let secondsPlayed, let durationSeconds else { return true }
        // Players round what they report.
        return secondsPlayed + 1 >= min(durationSeconds / 2, 240)
    }

    /// Whether the text is a MusicBrainz identifier: a UUID in its usual form.
    public static func isMusicBrainzID(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/) != nil
    }

    /// Returns an ISRC without its separators, in upper case; nil if the text is not one (ISO 3901).
    public static func isrc(from text: String) -> String? {
        let plain = text.uppercased().filter { $0 != "-" && $0 != " " }
        return plain.wholeMatch(of: /[A-Z]{2}[A-Z0-9]{3}[0-9]{7}/) != nil ? plain : nil
    }
}
