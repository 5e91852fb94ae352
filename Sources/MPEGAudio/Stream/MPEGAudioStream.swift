/// What a file's bytes say of the MP3 stream in them: where its frames and tags lie, how long it plays, what is
/// odd about it.
///
/// Made by one pass over the headers; nothing is decoded. Every count is of frames that are there, never what a
/// header field claims.
public struct MPEGAudioStream: Sendable, Hashable {
    /// The format of the principal section: the longest one, the first of several.
    public let format: StreamFormat
    /// How the bit rate behaves.
    public let bitRateMode: BitRateMode
    /// Bits per second: the bytes of all audio frames over the time that a plain decoder plays them for.
    public let averageBitRate: Int
    /// Where the audio frames lie.
    public let index: FrameIndex
    /// From the first frame's first byte (a Xing or Info frame counts) to the end of the last whole frame. Tags before and
    /// after do not change these bytes, so that a hash of them identifies the audio.
    public let payload: Range<Int>
    /// All tags, in the order of the file.
    public let tags: [TagExtent]
    /// What the encoder says in the Xing, Info or VBRI frame before the first audio frame; nil without one.
    public let infoTag: XingInfoTag?
    /// How long the stream plays, trimmed and untrimmed.
    public let timeline: GaplessTimeline
    /// What is odd about the file.
    public let diagnostics: StreamDiagnostics

    /// Runs of frames of one sampling rate and number of channels.
    public var sections: [StreamSection] { index.sections }

    /// Reads the stream in `bytes`, which must be a whole file's.
    ///
    /// A stream is believed where at least three headers in a row agree in version, layer, sampling rate and number of
    /// channels and lead from one to the next; at the very start (after tags) fewer do if they reach exactly
    /// to the end of the file or to a tag. Damage is skipped, not reported as an error: see ``diagnostics``.
    ///
    /// Time is linear in the number of bytes, memory in the number of frames (half a byte or less each).
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - passed: told every few megabytes of an offset that the reading has passed, so that the memory of a mapped
    ///     file can be given back; what lies before it may be read once more.
    /// - Throws: ``MPEGAudioError`` with code `empty`, `otherFileType`, `tagsOnly`, `noAudio` or `unsupportedLayer`. A
    ///   truncated last frame, junk, wrong sizes and free format are *not* errors.
    public static func scan(
        _ bytes: RawSpan, passed: (Int) -> Void = { _ in }
    ) throws(MPEGAudioError) -> MPEGAudioStream {
        guard bytes.byteCount > 0 else { throw MPEGAudioError(.empty, "the file is empty") }
        var leading = LeadingTags.find(bytes)
        if leading.tags.isEmpty, let signature = FileSignature.detect(bytes, from: 0, to: bytes.byteCount),
            signature.isDefinitive
        {
            throw MPEGAudioError(.otherFileType, "this is \(signature.name), not MP3 audio")
        }
        var trailing = TrailingTags.find(bytes, floor: leading.end)
        var scanner = StreamScanner(end: trailing.end)
        try scanner.run(bytes, from: leading.end, passed: passed)

        if scanner.builder.frameCount == 0, let tag = leading.tags.first(where: { $0.kind == .id3v2 }) {
            // A tag whose size swallows the audio: look inside it, and believe only a long chain.
            let start = tag.range.lowerBound + 10
            let inner = TrailingTags.find(bytes, floor: min(start, bytes.byteCount))
            var second = StreamScanner(end: inner.end, isDoubtful: true)
            try second.run(bytes, from: min(start, inner.end), passed: passed)
            if let first = second.firstFrameByte, second.builder.frameCount > 0 {
                leading.tags = leading.tags.filter { $0.range.upperBound <= tag.range.lowerBound }
                leading.tags.append(
                    TagExtent(kind: .id3v2, range: tag.range.lowerBound..<first, placement: .leading))
                leading.hasWrongSize = true
                second.forgetJunk(before: first, from: start)
                scanner = second
                trailing = inner
            }
        }
        guard scanner.builder.frameCount > 0, let start = scanner.firstFrameByte else {
            throw noFrames(bytes, leading: leading, trailing: trailing, scanner: scanner)
        }
        let tags = leading.tags + scanner.interiorTags + trailing.tags
        return MPEGAudioStream(
            scanner, payload: start..<scanner.endByte, tags: tags, hasWrongSize: leading.hasWrongSize)
    }

    private init(_ scanner: StreamScanner, payload: Range<Int>, tags: [TagExtent], hasWrongSize: Bool) {
        var scanner = scanner
        let index = scanner.finishIndex()
        var diagnostics = scanner.diagnostics
        diagnostics.wrongID3v2Size = hasWrongSize
        diagnostics.formatChangeCount = max(0, index.sections.count - 1)
        let first = scanner.firstPart
        let last = scanner.lastPart
        if let claimed = first?.info?.claimedFrameCount, let actual = first?.frameCount, claimed != actual {
            diagnostics.frameCountMismatch = .init(claimed: claimed, actual: actual)
        }
        // An index with frames has a principal section; the fallback only spares a force unwrap.
        format =
            index.principalSection?.format
            ?? StreamFormat(version: .v1, layer: .layer3, sampleRate: 44_100, channelMode: .stereo)
        if diagnostics.isFreeFormat {
            bitRateMode = .free
        } else if !scanner.bitRatesVary {
            bitRateMode = .constant
        } else {
            bitRateMode = first?.info?.method == .average ? .average : .variable
        }
        let seconds = StreamTime.seconds(index.totalTicks)
        averageBitRate = seconds > 0 ? Int(Double(index.byteCount) * 8 / seconds + 0.5) : 0
        self.index = index
        self.payload = payload
        self.tags = tags
        infoTag = first?.info
        timeline = GaplessTimeline(
            index: index, encoderDelay: first?.info?.encoderDelay, encoderPadding: last?.info?.encoderPadding,
            missingTailFrames: last?.missingTailFrames ?? 0)
        self.diagnostics = diagnostics
    }

    private static func noFrames(
        _ bytes: RawSpan, leading: LeadingTags, trailing: (end: Int, tags: [TagExtent]),
        scanner: StreamScanner
    ) -> MPEGAudioError {
        if scanner.diagnostics.infoFrameCount > 0 {
            return MPEGAudioError(.noAudio, "the stream holds an encoder's Info frame but no audio")
        }
        let rest = leading.end..<max(leading.end, trailing.end)
        let hasTags = !leading.tags.isEmpty || !trailing.tags.isEmpty
        if hasTags, bytes.firstNonZero(in: rest) == rest.upperBound {
            return MPEGAudioError(.tagsOnly, "the file holds tags but no audio")
        }
        if let signature = FileSignature.detect(bytes, from: rest.lowerBound, to: rest.upperBound) {
            return MPEGAudioError(.otherFileType, "this is \(signature.name), not MP3 audio")
        }
        return MPEGAudioError(.noAudio, "no MP3 frames were found in \(bytes.byteCount) bytes")
    }
}

extension StreamScanner.Part {
    /// Frames that the part's tag counts and that its end has lost. 0 where the bytes that the tag counts are all
    /// there: frames that are missing nevertheless were lost inside.
    fileprivate var missingTailFrames: Int {
        guard let claimed = info?.claimedFrameCount, claimed > frameCount else { return 0 }
        if let bytes = info?.claimedByteCount, endByte - firstByte >= bytes { return 0 }
        return claimed - frameCount
    }
}
