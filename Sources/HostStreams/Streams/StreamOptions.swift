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

    /// Accepted target loudness in LUFS.
    static let targets = -40.0...(-5.0)
    /// Accepted true peak limits in dBTP.
    static let peakLimits = -20.0...0.0
    /// Accepted fade lengths in seconds. A shorter fade would need steps of more than 1.505 dB between
    /// frames.
    static let fades = 1.5...20.0
    /// Default true peak limit in dBTP, as recommended for streaming by EBU R 128 s2.
    static let standardPeakLimit = -1.0

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
        trim = try Self.oneOf(query, "trim")
        self.loudness = try Self.oneOf(query, "loudness") ?? loudness
        target = try Self.number(query, "normalize", Self.targets)
        peakLimit =
            query["peak_limit"] == "off"
            ? nil : try Self.number(query, "peak_limit", Self.peakLimits) ?? Self.standardPeakLimit
        fade = try Self.number(query, "fade", Self.fades)
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

    private static func oneOf<Choice: RawRepresentable<String> & CaseIterable>(
        _ query: QueryParameters, _ name: String
    ) throws(HTTPError) -> Choice? {
        guard let text = query[name] else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let choices = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
        throw invalid(name, "\(name) must be \(choices).")
    }

    private static func number(
        _ query: QueryParameters, _ name: String, _ range: ClosedRange<Double>
    ) throws(HTTPError) -> Double? {
        guard let text = query[name] else { return nil }
        if let number = Double(text), range.contains(number) { return number }
        throw invalid(name, "\(name) must be a number from \(range.lowerBound) to \(range.upperBound).")
    }

    private static func invalid(_ name: String, _ message: String) -> HTTPError {
        HTTPError(.unprocessableContent, code: "invalid_parameter", message: message, field: name)
    }
}
