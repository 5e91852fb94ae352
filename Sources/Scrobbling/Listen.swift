/// A play of a track as it is sent to a service.
package struct Listen: Codable, Sendable, Equatable {
    /// The artist's name.
    package var artist: String
    /// The track's title.
    package var title: String
    /// The album's title.
    package var album: String?
    /// The album artist, if it is not the track's artist.
    package var albumArtist: String?
    /// Number of the track on its disc.
    package var trackNumber: Int?
    /// Length of the track in seconds.
    package var durationSeconds: Double?
    /// MusicBrainz identifier of the recording.
    package var recordingID: String?
    /// MusicBrainz identifier of the release.
    package var releaseID: String?
    /// International standard recording code.
    package var isrc: String?
    /// Time of the play in seconds since 1970.
    package var listenedAt: Int

    /// Creates a play with what every service requires.
    package init(artist: String, title: String, listenedAt: Int) {
        self.artist = artist
        self.title = title
        self.listenedAt = listenedAt
    }

    /// Whether so much of the track was played that it counts: half of it, or four minutes, whichever is less. Both services
    /// have this rule. Plays of unknown extent count: the player has applied the rule already.
    package func isLongEnough(secondsPlayed: Double?) -> Bool {
        guard let secondsPlayed, let durationSeconds else { return true }
        // Players round what they report.
        return secondsPlayed + 1 >= min(durationSeconds / 2, 240)
    }

    /// Whether the text is a MusicBrainz identifier: a UUID in its usual form.
    package static func isMusicBrainzID(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/) != nil
    }

    /// Returns an ISRC without its separators, in upper case; nil if the text is not one (ISO 3901).
    package static func isrc(from text: String) -> String? {
        let plain = text.uppercased().filter { $0 != "-" && $0 != " " }
        return plain.wholeMatch(of: /[A-Z]{2}[A-Z0-9]{3}[0-9]{7}/) != nil ? plain : nil
    }
}
