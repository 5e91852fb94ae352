internal import MPEGAudio

/// Maps between time and byte offsets in a file, based on its first frames.
struct ProgressiveLayout {
    let header: MPEGFrameHeader
    let info: XingInfoTag?
    /// Offset of the first audio frame.
    let audioStart: Int
    /// Offset after the last byte; nil if unknown.
    let end: Int?

    var frameTicks: Int { header.samplesPerFrame * sampleTicks }
    var sampleTicks: Int { StreamTime.ticksPerSecond / header.sampleRate }

    /// Encoder and decoder delay in ticks.
    var headTrim: Int {
        info?.encoderDelay.map { ($0 + GaplessTimeline.decoderDelay) * sampleTicks } ?? 0
    }

    /// Padding at the end in ticks, if the file has `frameCount` frames (see ``GaplessTimeline``).
    func tailTrim(frameCount: Int) -> Int {
        guard let padding = info?.encoderPadding else { return 0 }
        let missing = max(0, (info?.claimedFrameCount ?? 0) - frameCount)
        return max(0, padding - GaplessTimeline.decoderDelay - missing * header.samplesPerFrame) * sampleTicks
    }

    /// Whether the file declares a constant bit rate.
    private var isConstant: Bool { info?.kind == .info }
    /// Mean frame length in bytes at a constant bit rate.
    private var frameLength: Double {
        Double(header.bitRate ?? 128_000) * Double(header.samplesPerFrame) / 8 / Double(header.sampleRate)
    }

    /// Number of frames, from the tag or the file size; nil if neither is known.
    private var frameCount: Int? {
        if let claimed = info?.claimedFrameCount, claimed > 0 { return claimed }
        return end.map { max(0, Int((Double($0 - audioStart) / frameLength).rounded())) }
    }

    /// Duration of the audio without delay and padding; nil if unknown.
    var durationSeconds: Double? {
        frameCount.map {
            StreamTime.seconds(max(0, $0 * frameTicks - headTrim - tailTrim(frameCount: $0)))
        }
    }

    /// Whether duration and frame positions are exact.
    var isExact: Bool { isConstant && info?.claimedFrameCount != nil }

    /// Returns the approximate offset of a frame. With a constant bit rate, never after its start.
    func offset(ofFrame frame: Int) -> Int {
        if !isConstant, let byTable = offset(byTable: frame) { return byTable }
        return audioStart + max(0, Int(Double(frame) * frameLength) - 1)
    }

    /// Returns the number of the frame at an offset.
    func frame(at offset: Int) -> Int {
        if !isConstant, let byTable = frame(byTable: offset) { return byTable }
        return Int((Double(offset - audioStart) / frameLength).rounded())
    }

    private var table: (entries: [UInt8], bytes: Int, frames: Int, start: Int)? {
        guard let info, info.tableOfContents.count == 100, let frames = info.claimedFrameCount, frames > 0,
            let bytes = info.claimedByteCount ?? end.map({ $0 - info.frame.lowerBound }), bytes > 0
        else { return nil }
        return (info.tableOfContents, bytes, frames, info.frame.lowerBound)
    }

    /// Uses the table of contents: entry *i* is the position of *i* % of the time, in 256ths of the bytes.
    private func offset(byTable frame: Int) -> Int? {
        guard let table else { return nil }
        let percent = min(99.999, max(0, Double(frame) / Double(table.frames) * 100))
        let entry = Int(percent)
        let low = Double(table.entries[entry])
        let high = entry < 99 ? Double(table.entries[entry + 1]) : 256
        let place = low + (high - low) * (percent - Double(entry))
        return max(audioStart, table.start + Int(place / 256 * Double(table.bytes)))
    }

    private func frame(byTable offset: Int) -> Int? {
        guard let table else { return nil }
        let place = Double(offset - table.start) / Double(table.bytes) * 256
        // The last entry at or before the position.
        let entry = table.entries.lastIndex { Double($0) <= place } ?? 0
        let low = Double(table.entries[entry])
        let high = entry < 99 ? Double(table.entries[entry + 1]) : 256
        let part = high > low ? min(1, (place - low) / (high - low)) : 0
        return Int(((Double(entry) + part) / 100 * Double(table.frames)).rounded())
    }
}
