package import MusicShared

/// The tracks that the rules of a smart playlist select.
package struct SmartTracks: Sendable {
    /// The rules.
    package var rules: SmartRules
    /// Identifies the state of the data: the tracks are the same as long as it is.
    package var state: String
    /// Track ids in order.
    package var ids: [Int] = []
    /// Total duration in seconds.
    package var durationSeconds = 0.0

    /// Creates an empty list.
    package init(rules: SmartRules, state: String) {
        self.rules = rules
        self.state = state
    }
}

/// Evaluates the rules of smart playlists.
package protocol SmartPlaylistSource: Sendable {
    /// Returns the tracks of a smart playlist; nil if it is an ordinary one.
    func tracks(ofPlaylist id: Int) throws -> SmartTracks?
}
