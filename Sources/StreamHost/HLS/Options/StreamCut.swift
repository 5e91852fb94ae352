internal import HTTPServer
internal import MPEGAudio

/// What of a track is streamed and how loud, in frames and steps: what ``StreamOptions`` come to for one track.
///
/// The addresses of segments carry this and not the options: so what they stand for never changes, whatever a later analysis says.
struct StreamCut: Sendable, Hashable {
    /// The original.
    static let whole = StreamCut(frames: nil, gain: GainChange(steps: 0), fadeFrameCount: 0)

    /// The frames; nil for all.
    let frames: Range<Int>?
    /// The change of level.
    let gain: GainChange
    /// How many of the last frames fade out.
    let fadeFrameCount: Int

    var isWhole: Bool { self == .whole }

    init(frames: Range<Int>?, gain: GainChange, fadeFrameCount: Int) {
        self.frames = frames
        self.gain = gain
        self.fadeFrameCount = fadeFrameCount
    }

    /// Whether frames are sent as they stand in the file.
    var keepsFrames: Bool { gain.steps == 0 && fadeFrameCount == 0 }

    /// The fade-out of a track of so many frames, if there is one.
    func fade(frameCount: Int) -> GainFade? {
        guard fadeFrameCount > 0 else { return nil }
        let frames = frames ?? 0..<frameCount
        return GainFade(
            frames: max(frames.lowerBound, frames.upperBound - fadeFrameCount)..<frames.upperBound)
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
        fadeFrameCount = try query.get("fade", as: Int.self) ?? 0
        guard 0...frameCount ~= fadeFrameCount else {
            throw HTTPError(
                .badRequest, code: "invalid_parameter",
                message: "fade is a number of frames, of which the track has \(frameCount).", field: "fade")
        }
    }

    /// The cut in a query, each part with an ampersand before it.
    var query: String {
        (frames.map { "&frames=\($0.lowerBound)-\($0.upperBound)" } ?? "")
            + (gain.steps == 0 ? "" : "&gain=\(gain.steps)")
            + (fadeFrameCount == 0 ? "" : "&fade=\(fadeFrameCount)")
    }

    /// The cut as a part of a tag.
    var tag: String {
        (frames.map { "-f\($0.lowerBound)-\($0.upperBound)" } ?? "")
            + (gain.steps == 0 ? "" : "-g\(gain.steps)")
            + (fadeFrameCount == 0 ? "" : "-o\(fadeFrameCount)")
    }
}
