internal import MPEGAudio

/// What of a stream's ends is the encoder's, by the session data that the host puts into its master playlists.
struct HLSTrimming: Sendable, Equatable {
    /// Names of the facts begin with this.
    private static let namespace = "org.audiocompanion."

    /// Samples at the head.
    var headSamples = 0
    /// Samples that are to sound; nil for all that follow.
    var sampleCount: Int?

    init() {}

    init(_ sessionData: [String: String]) {
        func number(_ name: String) -> Int? { sessionData[Self.namespace + name].flatMap { Int($0) } }
        guard let delay = number("encoder_delay_samples"), let padding = number("encoder_padding_samples"),
            // A stream without an encoder's tag states zeros, and is not trimmed.
            delay > 0 || padding > 0, delay >= 0, delay < 10_000
        else { return }
        headSamples = delay + GaplessTimeline.decoderDelay
        sampleCount = number("sample_count").flatMap { $0 >= 0 ? $0 : nil }
    }
}
