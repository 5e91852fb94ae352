extension CrossfadePlan {
    /// What a listener may choose.
    public struct Options: Sendable, Equatable {
        /// Loudness to aim at in LUFS.
        public var targetLUFS: Double
        /// Longest overlap in seconds.
        public var maximumSeconds: Double

        /// Loudnesses that can be aimed at, in LUFS.
        public static let targetRange = -40.0 ... -5.0
        /// Longest overlaps that can be asked for, in seconds; 0 is none at all.
        public static let maximumRange = 0.0...30.0

        /// Puts the parts together.
        /// - Parameters:
        ///   - targetLUFS: the ReplayGain 2.0 reference unless told otherwise.
        ///   - maximumSeconds: the longest that players commonly offer unless told otherwise.
        public init(targetLUFS: Double = -18, maximumSeconds: Double = 12) {
            self.targetLUFS = targetLUFS
            self.maximumSeconds = maximumSeconds
        }
    }
}
