extension PlaybackConfiguration.Transition {
    /// Parses `gapless`, `planned`, `mix`, or the length of a crossfade in seconds, at most 30; nil for any other text.
    ///
    /// `mix` is ``planned``: whether plans mix in time with the beat is an option of the planner.
    public init?(name: String) {
        switch name {
        case "gapless": self = .gapless
        case "planned", "mix": self = .planned
        default:
            guard let seconds = Double(name), (0...30).contains(seconds) else { return nil }
            self = .crossfade(seconds: seconds)
        }
    }
}

extension PlaybackConfiguration.Normalization {
    /// Parses `automatic`, `off`, `track` or `album`; nil for any other text.
    public init?(name: String, targetLUFS: Double) {
        switch name {
        case "automatic": self = .automatic(targetLUFS: targetLUFS)
        case "off": self = .off
        case "track": self = .track(targetLUFS: targetLUFS)
        case "album": self = .album(targetLUFS: targetLUFS)
        default: return nil
        }
    }
}
