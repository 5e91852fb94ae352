internal import HTTPServer
internal import MPEGAudio

/// What of a track is streamed and how loud, in frames and steps: what ``StreamOptions`` come to for one track.
///
/// The addresses of segments carry this and not the options: so what they stand for never changes, whatever a later analysis says.
struct StreamCut: Sendable, Hashable {
    /// The original.
    static let whole = StreamCut(frames: nil, gain: GainChange(steps: 0))

    /// The frames; nil for all.
    let frames: Range<Int>?
    /// The change of level.
    let gain: GainChange

    var isWhole: Bool { self == .whole }

    init(frames: Range<Int>?, gain: GainChange) {
        self.frames = frames
        self.gain = gain
    }

    /// Reads the cut that a segment's address carries.
    /// - Throws: 400 where it cannot be read, 404 where the track has no such frames.
    init(_ query: QueryParameters, frameCount: Int) throws(HTTPError) {
        frames = try query["frames"].map { text throws(HTTPError) in
            let bounds = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map {
                Int(Substring($0))
            }
            guard bounds.count == 2, let lower = bounds[0], let upper = bounds[1], lower >= 0, upper >= 0
            else {
                throw HTTPError(
                    .badRequest, code: "invalid_parameter", message: "frames are FIRST-END, such as 12-3400.",
                    field: "frames")
            }
            guard lower < upper, upper <= frameCount else {
                throw HTTPError(
                    .notFound, code: "no_such_segment",
                    message: "The track has \(frameCount) frames, and a stream is of one at least.",
                    field: "frames")
            }
            return lower..<upper
        }
        let steps = try query.get("gain", as: Int.self) ?? 0
        guard abs(steps) <= GlobalGain.values.upperBound else {
            throw HTTPError(
                .badRequest, code: "invalid_parameter",
                message: "gain is a number of steps from -255 to 255.",
                field: "gain")
        }
        gain = GainChange(steps: steps)
    }

    /// The cut in a query, each part with an ampersand before it.
    var query: String {
        (frames.map { "&frames=\($0.lowerBound)-\($0.upperBound)" } ?? "")
            + (gain.steps == 0 ? "" : "&gain=\(gain.steps)")
    }

    /// The cut as a part of a tag.
    var tag: String {
        (frames.map { "-f\($0.lowerBound)-\($0.upperBound)" } ?? "")
            + (gain.steps == 0 ? "" : "-g\(gain.steps)")
    }
}
