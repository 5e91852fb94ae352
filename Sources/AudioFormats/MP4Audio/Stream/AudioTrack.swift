internal import AudioFrames

/// A track with audio: its codec and where its tables are.
struct AudioTrack {
    /// The track's number, which fragments state.
    let number: Int
    private(set) var codec: MP4AudioCodec
    /// Units of its time per second.
    let mediaScale: Int
    /// The contents of its `stbl` box.
    let table: Range<Int>
    /// The contents of its `trak` box.
    let range: Range<Int>

    /// Whether a `trak` box has audio, whatever its codec.
    static func isAudio(_ bytes: RawSpan, _ track: Range<Int>) -> Bool {
        guard let handler = MP4Box.first(["mdia", "hdlr"], bytes, in: track) else { return false }
        return bytes.code(at: handler.start + 8, in: handler.contents) == "soun"
    }

    /// Reads the description of a track with audio.
    /// - Throws: `encrypted`, `unsupportedCodec`, or `noAudio` if boxes are missing.
    init(_ bytes: RawSpan, _ track: Range<Int>) throws(AudioFormatError) {
        guard let header = MP4Box.first(["mdia", "mdhd"], bytes, in: track),
            let table = MP4Box.first(["mdia", "minf", "stbl"], bytes, in: track),
            let version = bytes.number(at: header.start, byteCount: 1, in: header.contents),
            let scale = bytes.number(
                at: header.start + (version == 1 ? 20 : 12), byteCount: 4, in: header.contents), scale > 0,
            let descriptions = MP4Box.first("stsd", bytes, in: table.contents),
            // The number of entries precedes the first.
            let entry = MP4Box(
                bytes, at: descriptions.start + 8, in: descriptions.contents)
        else {
            throw AudioFormatError(.noAudio, "the description of the audio track is missing or damaged")
        }
        codec = try SampleEntry(bytes, entry).codec()
        mediaScale = scale
        self.table = table.contents
        range = track
        number = Self.number(bytes, track)
    }

    /// Number of access units for a probe: the first may lack what it looks for.
    private static let probedUnits = 8

    /// Returns the track with the sample rate and the channels that a decoder gives.
    func probed(
        _ units: AccessUnitIndex, _ probe: (AACConfiguration, [Range<Int>]) -> DecodedUnit?
    ) -> AudioTrack {
        guard case .aac(let stated) = codec else { return self }
        let ranges = (0..<min(units.count, Self.probedUnits)).map { units[$0].range }
        guard let decoded = probe(stated, ranges), (1...8).contains(decoded.channelCount) else { return self }
        var result = self
        let isDoubled =
            decoded.sampleCount == 2 * stated.frameLength && stated.sampleRate == stated.coreSampleRate
        result.codec = .aac(
            isDoubled
                ? stated.withReplication(channelCount: decoded.channelCount)
                : stated.with(channelCount: decoded.channelCount))
        return result
    }

    private static func number(_ bytes: RawSpan, _ track: Range<Int>) -> Int {
        guard let header = MP4Box.first("tkhd", bytes, in: track),
            let version = bytes.number(at: header.start, byteCount: 1, in: header.contents)
        else { return 0 }
        return bytes.number(at: header.start + (version == 1 ? 20 : 12), byteCount: 4, in: header.contents)
            ?? 0
    }
}
