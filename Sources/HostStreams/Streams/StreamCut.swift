internal import APIDescription
internal import HTTPServer
internal import MPEGAudio

/// The part of a track to stream and its gain, in frames and steps: ``StreamOptions`` resolved for one track.
///
/// Segment URLs contain the cut rather than the options, so their content does not change with a later
/// analysis.
struct StreamCut: Sendable, Hashable {
    /// The unaltered original.
    static let whole = StreamCut(frames: nil, gain: GainChange(steps: 0), fadeFrameCount: 0)

    /// The frames; nil for all.
    let frames: Range<Int>?
    /// The gain.
    let gain: GainChange
    /// Number of frames that fade out at the end.
    let fadeFrameCount: Int

    var isWhole: Bool { self == .whole }

    init(frames: Range<Int>?, gain: GainChange, fadeFrameCount: Int) {
        self.frames = frames
        self.gain = gain
        self.fadeFrameCount = fadeFrameCount
    }

    /// Whether frames are sent exactly as in the file.
    var keepsFrames: Bool { gain.steps == 0 && fadeFrameCount == 0 }

    /// Returns the fade-out of a track with `frameCount` frames; nil without a fade.
    func fade(frameCount: Int) -> GainFade? {
        guard fadeFrameCount > 0 else { return nil }
        let frames = frames ?? 0..<frameCount
        return GainFade(
            frames: max(frames.lowerBound, frames.upperBound - fadeFrameCount)..<frames.upperBound)
    }

    static let framesParameter = QueryParameter<(first: Int, end: Int)?>(
        "frames", "Frames covered by its playlist: the first, and the one after the last.",
        .text(matching: "^[0-9]{1,9}-[0-9]{1,9}$", example: "12-3400"),
        expected: "a range of the form FIRST-END, for example 12-3400"
    ) { text in
        let bounds = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map {
            Int(Substring($0))
        }
        guard bounds.count == 2, let first = bounds[0], let end = bounds[1], first >= 0, end >= 0
        else { return nil }
        return (first, end)
    }
    static let gainParameter = QueryParameter<Int?>("gain", "Gain in steps of 1.505 dB.", in: -255...255)
        .standard(0)
    static let fadeParameter = QueryParameter<Int?>(
        "fade", "Number of frames that fade out at the end.", in: 0...9_999_999
    ).standard(0)

    /// Parses the cut in a segment's URL.
    /// - Throws: 422 if it is invalid, 404 if the track does not have these frames.
    init(_ query: QueryParameters, frameCount: Int) throws(HTTPError) {
        frames = try Self.framesParameter.value(in: query).map { first, end throws(HTTPError) in
            guard first < end, end <= frameCount else {
                throw APIError.noSuchSegment(
                    "The frames must be a non-empty range within the track's \(frameCount) frames.",
                    field: Self.framesParameter.name)
            }
            return first..<end
        }
        let steps = try Self.gainParameter.value(in: query)
        gain = GainChange(steps: steps)
        fadeFrameCount = try Self.fadeParameter.value(in: query)
        guard 0...frameCount ~= fadeFrameCount else {
            throw APIError.invalidParameter(
                "fade must be a number of frames from 0 to \(frameCount).", field: "fade")
        }
    }

    /// The cut as query parameters, each preceded by an ampersand.
    var query: String {
        (frames.map { "&frames=\($0.lowerBound)-\($0.upperBound)" } ?? "")
            + (gain.steps == 0 ? "" : "&gain=\(gain.steps)")
            + (fadeFrameCount == 0 ? "" : "&fade=\(fadeFrameCount)")
    }

    /// The cut as part of an ETag.
    var tag: String {
        (frames.map { "-f\($0.lowerBound)-\($0.upperBound)" } ?? "")
            + (gain.steps == 0 ? "" : "-g\(gain.steps)")
            + (fadeFrameCount == 0 ? "" : "-o\(fadeFrameCount)")
    }
}
