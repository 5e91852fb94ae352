/// The MP3 stream of a file: the location of its frames and tags, its duration, and irregularities.
///
/// Created by one pass over the headers; nothing is decoded. All counts are of actual frames, never the claims of a header field.
public struct MPEGAudioStream: Sendable, Hashable {
    /// Format of the principal section: the longest one, the first if there are several.
    public let format: StreamFormat
    /// Bit rate mode.
    public let bitRateMode: BitRateMode
    /// Average bit rate in bits per second: the size of all audio frames over the duration of the plain output.
    public let averageBitRate: Int
    /// Location of the audio frames.
    public let index: FrameIndex
    /// From the start of the first frame (including a Xing or Info frame) to the end of the last complete frame. Tags before
    /// and after do not affect these bytes, so a hash of them identifies the audio.
    public let payload: Range<Int>
    /// All tags in file order.
    public let tags: [TagExtent]
    /// Contents of the Xing, Info or VBRI frame before the first audio frame; nil without one.
    public let infoTag: XingInfoTag?
    /// Trimmed and untrimmed duration of the stream.
    public let timeline: GaplessTimeline
    /// Irregularities of the file.
    public let diagnostics: StreamDiagnostics

    /// Runs of frames with the same sample rate and number of channels.
    public var sections: [StreamSection] { index.sections }

    /// Scans the stream in `bytes`, which must be a complete file.
    ///
    /// A stream is accepted where at least three consecutive headers agree in version, layer, sample rate and number of
    /// channels and each leads to the next; at the very start (after tags) fewer are enough if they reach exactly to the end of
    /// the file or to a tag. Damage is skipped and not reported as an error: see ``diagnostics``.
    ///
    /// If bytes are missing or overwritten, every complete frame is still found: a frame that is not followed by a header is
    /// discarded in favour of one that starts inside it. Lost frames are omitted from the timeline, as in other players, and
    /// not replaced with silence.
    ///
    /// Time is linear in the number of bytes, memory in the number of frames (at most half a byte each).
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - passed: called every few megabytes with an offset that has been passed, so that memory of a mapped file can be
    ///     released; bytes before it may be read once more.
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
            // A tag whose size includes the audio: look inside it, and accept only a long chain.
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
        // An index with frames has a principal section; the fallback only avoids a force unwrap.
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
            return MPEGAudioError(.noAudio, "the stream contains an Info frame but no audio")
        }
        let rest = leading.end..<max(leading.end, trailing.end)
        let hasTags = !leading.tags.isEmpty || !trailing.tags.isEmpty
        if hasTags, bytes.firstNonZero(in: rest) == rest.upperBound {
            return MPEGAudioError(.tagsOnly, "the file contains tags but no audio")
        }
        if let signature = FileSignature.detect(bytes, from: rest.lowerBound, to: rest.upperBound) {
            return MPEGAudioError(.otherFileType, "this is \(signature.name), not MP3 audio")
        }
        return MPEGAudioError(.noAudio, "no MP3 frames were found in \(bytes.byteCount) bytes")
    }
}

extension StreamScanner.Part {
    /// Number of frames counted by the part's tag but missing at its end. 0 if all bytes counted by the tag are present: any
    /// missing frames were lost inside.
    fileprivate var missingTailFrames: Int {
        guard let claimed = info?.claimedFrameCount, claimed > frameCount else { return 0 }
        if let bytes = info?.claimedByteCount, endByte - firstByte >= bytes { return 0 }
        return claimed - frameCount
    }
}
