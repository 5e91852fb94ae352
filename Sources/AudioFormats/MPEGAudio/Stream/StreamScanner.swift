/// Scans a file's bytes once, from header to header, and collects the contents of ``MPEGAudioStream``.
///
/// Time is linear in the file's size whatever the bytes are: chains are followed for a bounded number of frames, and the
/// position only moves forward.
struct StreamScanner {
    /// Number of consecutive frames required to accept a stream without other evidence.
    static let chainLength = 3
    /// Interval in bytes at which progress is reported to the caller.
    private static let reportInterval = 1 << 22

    /// A part of a joined file: an optional Info frame and the frames after it.
    struct Part {
        var info: XingInfoTag?
        var firstByte: Int
        var endByte: Int
        var frameCount = 0
    }

    private(set) var builder = FrameIndexBuilder()
    private(set) var diagnostics = StreamDiagnostics()
    private(set) var interiorTags: [TagExtent] = []
    private(set) var firstPart: Part?
    private(set) var lastPart: Part?
    private(set) var firstFrameByte: Int?
    private(set) var endByte = 0
    private(set) var bitRatesVary = false

    private let end: Int
    private let minimumFirstChain: Int
    private let acceptsShortStart: Bool
    private var probe: FreeFormatProbe
    private var pattern: FramePattern?
    private var candidate: FramePattern?
    private var part = Part(firstByte: 0, endByte: 0)
    private var isAtPartStart = true
    private var bitRateMask = 0
    private var firstBitRate: Int?

    /// Creates a scanner for the bytes up to `end`, where the trailing tags start.
    ///
    /// - Parameter isDoubtful: whether the bytes may well not be audio, so that a longer chain is required.
    init(end: Int, isDoubtful: Bool = false) {
        self.end = end
        minimumFirstChain = isDoubtful ? 6 : Self.chainLength
        acceptsShortStart = !isDoubtful
        probe = FreeFormatProbe(byteCount: end)
    }

    /// Scans from `start`.
    ///
    /// - Parameter passed: called every few megabytes with an offset that has been passed.
    /// - Throws: ``MPEGAudioError/Code/unsupportedLayer``. Finding no frames is not an error here.
    mutating func run(_ bytes: RawSpan, from start: Int, passed: (Int) -> Void) throws(MPEGAudioError) {
        guard var position = findFrames(bytes, from: start, streamStart: start, passed: passed) else {
            diagnostics.skippedBytes = end - start
            return
        }
        if let header = pattern?.header, header.layer != .layer3 {
            throw MPEGAudioError(
                .unsupportedLayer,
                "this is \(header.version) \(header.layer) audio, and only layer III (MP3) is supported",
                offset: position)
        }
        diagnostics.skippedBytes = position - start
        while position < end {
            let stop = min(end, position + Self.reportInterval)
            position = takeFrames(bytes, from: position, to: stop)
            guard position < end else { break }
            if position >= stop {
                passed(position)
                continue
            }
            if let tag = ForwardTag.at(position, in: bytes, limit: end) {
                interiorTags.append(
                    TagExtent(kind: tag.kind, range: position..<tag.end, placement: .interior))
                position = tag.end
                beginPart()
                continue
            }
            position = resume(bytes, from: position, passed: passed)
        }
        closePart()
        noteBitRates()
    }

    /// Skips bytes that belong to no frame of the current stream; returns the position where frames resume, or the end.
    private mutating func resume(_ bytes: RawSpan, from position: Int, passed: (Int) -> Void) -> Int {
        let isCutOff =
            position + 4 <= end && (pattern?.length(of: bytes.bigEndian32(at: position)) ?? 0) > 0
        let next = findFrames(
            bytes, from: isCutOff ? position + 1 : position, streamStart: nil, passed: passed)
        guard let next else {
            if isCutOff {
                diagnostics.truncatedLastFrame = true
                diagnostics.truncatedBytes = end - position
            } else {
                diagnostics.skippedBytes += end - position
            }
            return end
        }
        if next > position {
            diagnostics.skippedBytes += next - position
            diagnostics.resyncCount += 1
        }
        return next
    }

    // MARK: Finding frames

    /// Returns the first position from `start` at which a convincing chain starts. Its pattern becomes the current one.
    private mutating func findFrames(
        _ bytes: RawSpan, from start: Int, streamStart: Int?, passed: (Int) -> Void
    ) -> Int? {
        var position = start
        var reported = start
        while position <= end - 4 {
            if position - reported >= Self.reportInterval {
                reported = position
                passed(position)
            }
            let stop = min(end - 3, position + Self.reportInterval)
            guard let found = bytes.firstFF(in: position..<stop) else {
                position = stop
                continue
            }
            if let header = MPEGFrameHeader(word: bytes.bigEndian32(at: found)),
                let pattern = convincingPattern(
                    bytes, at: found, header: header, isStart: found == streamStart)
            {
                enter(pattern)
                return found
            }
            position = found + 1
        }
        return nil
    }

    private mutating func convincingPattern(
        _ bytes: RawSpan, at position: Int, header: MPEGFrameHeader, isStart: Bool
    ) -> FramePattern? {
        // Once Layer III has been found, apparent headers of other layers are junk.
        guard pattern == nil || header.layer == .layer3 else { return nil }
        // Most coincidental headers are rejected here cheaply: everywhere but at the start a second header must follow.
        if !isStart, let length = header.frameLength, position + length + 4 <= end,
            !FramePattern.mayAgree(header.word, bytes.bigEndian32(at: position + length))
        {
            return nil
        }
        guard let candidate = candidatePattern(bytes, at: position, header: header) else { return nil }
        var wanted = Self.chainLength
        if let pattern {
            if !pattern.agrees(with: candidate) { wanted += 1 }
        } else {
            wanted = max(minimumFirstChain, header.layer == .layer3 ? 0 : 5)
        }
        let evidence = FrameChain.follow(bytes, from: position, pattern: candidate, wanted: wanted, end: end)
        if evidence.frameCount >= wanted { return candidate }
        guard evidence.endsCleanly, acceptsShortStart || pattern != nil else { return nil }
        // A single last frame is accepted if it has the stream's format and ends exactly at the end of the data.
        let isLastFrame =
            pattern?.agrees(with: candidate) == true && position + candidate.length(of: header.word) == end
        return evidence.frameCount >= (isStart || isLastFrame ? 1 : 2) ? candidate : nil
    }

    private mutating func candidatePattern(
        _ bytes: RawSpan, at position: Int, header: MPEGFrameHeader
    ) -> FramePattern? {
        for known in [pattern, candidate] {
            if let known, known.length(of: header.word) > 0 { return known }
        }
        if header.isFreeFormat { return probe.pattern(bytes, at: position, header: header, end: end) }
        let made = FramePattern(header)
        candidate = made
        return made
    }

    /// Makes `new` the current pattern, and starts a section if the format differs.
    private mutating func enter(_ new: FramePattern) {
        defer { pattern = new }
        if let pattern, pattern.agrees(with: new) { return }
        noteBitRates()
        beginPart()
        builder.beginSection(StreamFormat(new.header))
    }

    // MARK: Reading frames

    /// Reads frames of the current pattern that start between `start` and `stop`; returns the first position without one, or a
    /// position at or after `stop`.
    private mutating func takeFrames(_ bytes: RawSpan, from start: Int, to stop: Int) -> Int {
        guard let pattern else { return start }
        let sideInformation = pattern.header.sideInformationLength
        var position = start
        var mask = 0
        var crc: UInt32 = 0x1_0000
        // The frame before `position`, which is added once a header follows it.
        var last: TakenFrame?
        scan: while true {
            while position < stop, position + 4 <= end {
                let word = bytes.bigEndian32(at: position)
                let length = pattern.length(of: word)
                if length == 0 || position + length > end { break }
                if length >= 40, holdsMagic(bytes, at: position, sideInformation: sideInformation) {
                    if let last { take(last) }
                    last = nil
                    let frame = position..<position + length
                    if takeInfoFrame(bytes, frame: frame, word: word, runStart: start) {
                        position += length
                        continue
                    }
                }
                let bitRateIndex = Int(word >> 12) & 15
                mask |= 1 << bitRateIndex
                crc &= word
                if let last { take(last) }
                last = TakenFrame(offset: position, length: length, bitRateIndex: bitRateIndex)
                position += length
            }
            guard position < stop, let cut = last, let next = frameInside(cut, bytes) else { break scan }
            last = nil
            diagnostics.skippedBytes += next - cut.offset
            diagnostics.resyncCount += 1
            position = next
        }
        if let last { take(last) }
        bitRateMask |= mask
        if mask != 0, crc == 0 { diagnostics.isCRCProtected = true }
        if position > start {
            if firstFrameByte == nil { firstFrameByte = start }
            endByte = position
            part.endByte = position
        }
        return position
    }

    private struct TakenFrame {
        let offset: Int
        let length: Int
        let bitRateIndex: Int
    }

    private mutating func take(_ frame: TakenFrame) {
        if isAtPartStart {
            isAtPartStart = false
            if part.info == nil { part.firstByte = frame.offset }
        }
        part.frameCount += 1
        builder.append(offset: frame.offset, length: frame.length, bitRateIndex: frame.bitRateIndex)
    }

    /// Returns where frames resume inside a frame that is not followed by a header. Such a frame lacks bytes, and the end
    /// calculated from its header is inside the next frame, which is complete.
    private func frameInside(_ cut: TakenFrame, _ bytes: RawSpan) -> Int? {
        guard let pattern else { return nil }
        let claimedEnd = cut.offset + cut.length
        guard claimedEnd < end, ForwardTag.at(claimedEnd, in: bytes, limit: end) == nil else {
            return nil
        }
        var position = cut.offset + 4
        while position < claimedEnd, let found = bytes.firstFF(in: position..<claimedEnd) {
            position = found + 1
            guard found + 4 <= end else { return nil }
            let length = pattern.length(of: bytes.bigEndian32(at: found))
            guard length > 0 else { continue }
            if found + length == end { return found }
            let evidence = FrameChain.follow(
                bytes, from: found, pattern: pattern, wanted: Self.chainLength + 1, end: end)
            if evidence.frameCount > Self.chainLength || evidence.frameCount >= 2 && evidence.endsCleanly {
                return found
            }
        }
        return nil
    }

    /// Whether one of the magic words is at the position of an info tag.
    @inline(__always)
    private func holdsMagic(_ bytes: RawSpan, at position: Int, sideInformation: Int) -> Bool {
        func isXing(_ word: UInt32) -> Bool { word == 0x5869_6E67 || word == 0x496E_666F }
        return isXing(bytes.bigEndian32(at: position + 4 + sideInformation))
            || bytes.bigEndian32(at: position + 36) == 0x5642_5249
            || bytes.byte(at: position + 1) & 1 == 0
                && position + 42 <= end && isXing(bytes.bigEndian32(at: position + 6 + sideInformation))
    }

    /// Reads a frame that describes the stream instead of containing audio; false if it is audio after all.
    private mutating func takeInfoFrame(_ bytes: RawSpan, frame: Range<Int>, word: UInt32, runStart: Int)
        -> Bool
    {
        guard let header = MPEGFrameHeader(word: word),
            let info = XingInfoTag(bytes, frame: frame, header: header, requiresSilence: !isAtPartStart)
        else { return false }
        if frame.lowerBound > runStart { endByte = frame.lowerBound }
        beginPart()
        part.info = info
        part.firstByte = frame.lowerBound
        part.endByte = frame.upperBound
        diagnostics.infoFrameCount += 1
        diagnostics.infoFrameBytes += frame.count
        return true
    }

    // MARK: Parts

    private mutating func beginPart() {
        closePart()
        isAtPartStart = true
    }

    private mutating func closePart() {
        part.endByte = max(part.endByte, endByte)
        if part.frameCount > 0 {
            if firstPart == nil { firstPart = part }
            lastPart = part
        }
        part = Part(firstByte: endByte, endByte: endByte)
    }

    private mutating func noteBitRates() {
        defer { bitRateMask = 0 }
        guard let header = pattern?.header else { return }
        for index in 0..<16 where bitRateMask & 1 << index != 0 {
            if index == 0 {
                diagnostics.isFreeFormat = true
                continue
            }
            let rate = BitRateTable.kilobits(version: header.version, layer: header.layer, index: index)
            if let firstBitRate, firstBitRate != rate { bitRatesVary = true }
            firstBitRate = firstBitRate ?? rate
        }
    }

    /// Treats the bytes before the first frame as part of a tag rather than junk.
    mutating func forgetJunk(before first: Int, from start: Int) {
        diagnostics.skippedBytes -= first - start
    }

    /// Returns the index of all frames read.
    mutating func finishIndex() -> FrameIndex { builder.finish() }
}
