internal import APIDescription
internal import HTTPServer

/// Alterations of a stream that a client requests.
struct StreamOptions: Sendable, Hashable {
    /// The parts to remove at both ends.
    enum Trim: String, Sendable, CaseIterable {
        /// Digital or near silence.
        case silence
        /// Everything outside the cue points: silence, a long fade, applause.
        case cue
    }

    /// The loudness to normalise.
    enum Loudness: String, Sendable, CaseIterable {
        /// The track's own.
        case track
        /// The album's, which preserves level differences between its tracks.
        case album
    }

    /// Accepted true peak limits in dBTP.
    static let peakLimits = -20.0...0.0
    /// Default true peak limit in dBTP, as recommended for streaming by EBU R 128 s2.
    static let standardPeakLimit = -1.0

    static let trimParameter = QueryParameter<Trim?>(
        "trim",
        "Removes silence at both ends, or everything outside the cue points, rounded to whole frames.")
    static let normalizeParameter = QueryParameter<Double?>(
        "normalize",
        "Target integrated loudness in LUFS. Changes the gain fields of the frames, in steps of 1.5 dB.",
        in: -40...(-5))
    static let loudnessParameter = QueryParameter<Loudness?>(
        "loudness",
        "Whether to normalise the loudness of the track or of its album; by default that of the track, in the stream of an "
            + "album that of the album.")
    static let peakLimitParameter = QueryParameter<PeakLimit>(
        "peak_limit", "Maximum true peak after normalisation, in dBTP from -20 to 0, or \"off\".",
        .text(
            matching: "^(off|0(\\.0{1,6})?|-(1?[0-9](\\.[0-9]{1,6})?|20(\\.0{1,6})?))$", example: "-1"),
        default: .at(standardPeakLimit), expected: "a number from -20 to 0, or \"off\""
    ) { text in
        text == "off" ? .off : Double(text).flatMap { peakLimits.contains($0) ? .at($0) : nil }
    }
    /// A shorter fade would need steps of more than 1.505 dB between frames.
    static let fadeParameter = QueryParameter<Double?>(
        "fade",
        "Length of a fade-out at the end, in seconds: by 60 dB, in steps of 1.5 dB between frames. At most half of the track.",
        in: 1.5...20)
    static let parameters: [any OperationParameter] = [
        trimParameter, normalizeParameter, loudnessParameter, peakLimitParameter, fadeParameter,
    ]

    /// A limit of the true peak.
    enum PeakLimit: Sendable {
        case off
        /// In dBTP.
        case at(Double)
    }

    var trim: Trim?
    /// Target integrated loudness in LUFS; nil for no change.
    var target: Double?
    var loudness: Loudness
    /// Maximum true peak in dBTP; nil for no limit.
    var peakLimit: Double?
    /// Length of the fade-out at the end, in seconds; nil for no fade.
    var fade: Double?

    /// Parses the options of a request.
    /// - Parameter loudness: The default for the loudness option.
    /// - Throws: 422 if an option is invalid.
    init(_ query: QueryParameters, loudness: Loudness = .track) throws(HTTPError) {
        trim = try Self.trimParameter.value(in: query)
        self.loudness = try Self.loudnessParameter.value(in: query) ?? loudness
        target = try Self.normalizeParameter.value(in: query)
        if case .at(let limit) = try Self.peakLimitParameter.value(in: query) { peakLimit = limit }
        fade = try Self.fadeParameter.value(in: query)
    }

    /// Whether the options leave the stream unaltered.
    var areNone: Bool { trim == nil && target == nil && fade == nil }

    /// The options as query parameters, each preceded by an ampersand.
    var query: String {
        var parts: [String] = []
        if let trim { parts.append("trim=\(trim.rawValue)") }
        if let target {
            parts += ["normalize=\(target)", "loudness=\(loudness.rawValue)"]
            parts.append("peak_limit=\(peakLimit.map { "\($0)" } ?? "off")")
        }
        if let fade { parts.append("fade=\(fade)") }
        return parts.map { "&\($0)" }.joined()
    }
}
