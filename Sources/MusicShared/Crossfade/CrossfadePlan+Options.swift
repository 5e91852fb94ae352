extension CrossfadePlan {
    /// The kind of transitions that the user has chosen.
    public enum Mode: String, Codable, Sendable, CaseIterable {
        /// Whole files, one after the other.
        case off
        /// Whole files, one after the other, sample to sample.
        case gapless
        /// Tracks overlap where the outgoing one has faded below the incoming one; nothing audible is cut.
        case crossfade
        /// Tracks are mixed in time with the beat where that is possible.
        case mix
    }

    /// User-selectable options.
    public struct Options: Sendable, Equatable {
        /// The kind of transitions that the user has chosen.
        public var mode: Mode
        /// Target loudness in LUFS.
        public var targetLUFS: Double
        /// Maximum overlap in seconds of crossfades.
        public var maximumSeconds: Double
        /// Maximum overlap in beats of mixes.
        public var maximumBeats: Int
        /// Whether tracks that cannot be mixed overlap as in ``Mode/crossfade``, which fades nothing audible, instead of being
        /// crossfaded at their cue points.
        public var onlyWhenItFits: Bool

        /// Permitted target loudness in LUFS.
        public static let targetRange = -40.0 ... -5.0
        /// Permitted maximum overlap in seconds; 0 disables overlaps.
        public static let maximumRange = 0.0...30.0
        /// Permitted maximum overlap of a mix in beats.
        public static let beatRange = 2...32

        /// Memberwise initializer.
        /// - Parameters:
        ///   - targetLUFS: defaults to the ReplayGain 2.0 reference.
        ///   - maximumSeconds: defaults to the longest overlap that players commonly offer.
        ///   - mode: defaults to crossfades, which work for any music.
        ///   - maximumBeats: defaults to eight bars of four beats.
        public init(
            targetLUFS: Double = -18, maximumSeconds: Double = 12, mode: Mode = .crossfade,
            maximumBeats: Int = 32, onlyWhenItFits: Bool = false
        ) {
            self.targetLUFS = targetLUFS
            self.maximumSeconds = maximumSeconds
            self.mode = mode
            self.maximumBeats = maximumBeats
            self.onlyWhenItFits = onlyWhenItFits
        }
    }
}
