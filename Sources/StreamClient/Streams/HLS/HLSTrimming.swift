internal import MPEGAudio

/// Encoder delay and length of a stream, from the session data that the host adds to its master playlists.
struct HLSTrimming: Sendable, Equatable {
    /// Prefix of the data ids.
    private static let namespace = "org.audiocompanion."

    /// Number of samples to drop at the start.
    var headSamples = 0
    /// Number of samples to play; nil for all that follow.
    var sampleCount: Int?

    init() {}

    /// - Parameters:
    ///   - sessionData: the session data by id.
    ///   - isConverted: whether the stream is MP3 that the host makes from another format.
    init(_ sessionData: [String: String], isConverted: Bool) {
        let prefix = Self.namespace + (isConverted ? "converted_" : "")
        func number(_ name: String) -> Int? { sessionData[prefix + name].flatMap { Int($0) } }
        guard let delay = number("encoder_delay_samples"), let padding = number("encoder_padding_samples"),
            // A stream without an encoder tag states zeros and is not trimmed.
            delay > 0 || padding > 0, delay >= 0, delay < 10_000
        else { return }
        headSamples = delay + GaplessTimeline.decoderDelay
        sampleCount = number("sample_count").flatMap { $0 >= 0 ? $0 : nil }
    }
}
