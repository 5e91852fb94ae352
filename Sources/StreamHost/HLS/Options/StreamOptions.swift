internal import HTTPServer

/// How a stream is to differ from the original file, as a client asks for it.
struct StreamOptions: Sendable, Hashable {
    /// What is left away at both ends.
    enum Trim: String, Sendable, CaseIterable {
        /// Digital or near silence.
        case silence
        /// What lies outside the cue points: silence, a long fade, applause.
        case cue
    }

    /// Whose loudness is brought to the target.
    enum Loudness: String, Sendable, CaseIterable {
        /// Each track's own.
        case track
        /// The album's, so that its tracks keep their differences.
        case album
    }

    /// Integrated loudness that can be asked for, in LUFS.
    static let targets = -40.0...(-5.0)
    /// True peaks that can be asked for, in dBTP.
    static let peakLimits = -20.0...0.0
    /// Lengths of a fade that can be asked for, in seconds. A shorter one would take steps of more than 1.505 dB from frame to frame.
    static let fades = 1.5...20.0
    /// What is kept below unless asked otherwise, in dBTP: what EBU R 128 s2 asks of streams.
    static let standardPeakLimit = -1.0

    var trim: Trim?
    /// Integrated loudness to come to, in LUFS; nil for no change.
    var target: Double?
    var loudness: Loudness
    /// What the true peak may come to, in dBTP; nil for no limit.
    var peakLimit: Double?
    /// Length of the fade-out at the end, in seconds; nil for none.
    var fade: Double?

    /// Reads the options of a request.
    /// - Parameter loudness: whose loudness counts unless the request says.
    /// - Throws: 400 where an option has no value that it can have.
    init(_ query: QueryParameters, loudness: Loudness = .track) throws(HTTPError) {
        trim = try Self.oneOf(query, "trim")
        self.loudness = try Self.oneOf(query, "loudness") ?? loudness
        target = try Self.number(query, "normalize", Self.targets)
        peakLimit =
            query["peak_limit"] == "off"
            ? nil : try Self.number(query, "peak_limit", Self.peakLimits) ?? Self.standardPeakLimit
        fade = try Self.number(query, "fade", Self.fades)
    }

    /// Whether the stream is the original.
    var areNone: Bool { trim == nil && target == nil && fade == nil }

    /// The options in a query, each with an ampersand before it.
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
        throw invalid(name, "\(name) is \(choices).")
    }

    private static func number(
        _ query: QueryParameters, _ name: String, _ range: ClosedRange<Double>
    ) throws(HTTPError) -> Double? {
        guard let text = query[name] else { return nil }
        if let number = Double(text), range.contains(number) { return number }
        throw invalid(name, "\(name) is a number from \(range.lowerBound) to \(range.upperBound).")
    }

    private static func invalid(_ name: String, _ message: String) -> HTTPError {
        HTTPError(.badRequest, code: "invalid_parameter", message: message, field: name)
    }
}
