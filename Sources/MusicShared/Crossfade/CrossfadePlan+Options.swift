extension CrossfadePlan {
    /// User-selectable options.
    public struct Options: Sendable, Equatable {
        /// Target loudness in LUFS.
        public var targetLUFS: Double
        /// Maximum overlap in seconds.
        public var maximumSeconds: Double

        /// Permitted target loudness in LUFS.
        public static let targetRange = -40.0 ... -5.0
        /// Permitted maximum overlap in seconds; 0 disables overlaps.
        public static let maximumRange = 0.0...30.0

        /// Memberwise initializer.
        /// - Parameters:
        ///   - targetLUFS: defaults to the ReplayGain 2.0 reference.
        ///   - maximumSeconds: defaults to the longest overlap that players commonly offer.
        public init(targetLUFS: Double = -18, maximumSeconds: Double = 12) {
            self.targetLUFS = targetLUFS
            self.maximumSeconds = maximumSeconds
        }
    }
}
