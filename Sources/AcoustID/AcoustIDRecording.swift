/// A recording that AcoustID names for a fingerprint.
package struct AcoustIDRecording: Sendable, Equatable {
    /// A release that contains the recording.
    package struct Release: Sendable, Equatable {
        /// MusicBrainz identifier.
        package let id: String
        /// Title.
        package let title: String
    }

    /// MusicBrainz identifier.
    package let id: String
    /// Similarity of the fingerprints, 0…1.
    package let score: Double
    /// Title.
    package let title: String
    /// Artists in one text, as credited.
    package let artist: String
    /// The releases with a title, as the service orders them.
    package let releases: [Release]
}
