internal import MPEGAudio

/// Where in a file which moment lies, as far as its first frames tell.
struct ProgressiveLayout {
    let header: MPEGFrameHeader
    let info: XingInfoTag?
    /// Offset of the first frame of audio.
    let audioStart: Int
    /// Offset behind the last byte; nil where nobody knows.
    let end: Int?

    var frameTicks: Int { header.samplesPerFrame * sampleTicks }
    var sampleTicks: Int { StreamTime.ticksPerSecond / header.sampleRate }

    /// Ticks of the encoder's and the decoder's delay.
    var headTrim: Int {
        info?.encoderDelay.map { ($0 + GaplessTimeline.decoderDelay) * sampleTicks } ?? 0
    }

    /// Ticks at the end that are padding, if `frameCount` frames were there (see ``GaplessTimeline``).
    func tailTrim(frameCount: Int) -> Int {
        guard let padding = info?.encoderPadding else { return 0 }
        let missing = max(0, (info?.claimedFrameCount ?? 0) - frameCount)
        return max(0, padding - GaplessTimeline.decoderDelay - missing * header.samplesPerFrame) * sampleTicks
    }

    /// Whether all frames are of one length, by the file's own words.
    private var isConstant: Bool { info?.kind == .info }
    /// Mean length of a frame if they are.
    private var frameLength: Double {
        Double(header.bitRate ?? 128_000) * Double(header.samplesPerFrame) / 8 / Double(header.sampleRate)
    }

    /// Frames, by the tag or by the size; nil where neither says.
    private var frameCount: Int? {
        if let claimed = info?.claimedFrameCount, claimed > 0 { return claimed }
        return end.map { max(0, Int((Double($0 - audioStart) / frameLength).rounded())) }
    }

    /// Length of what sounds; nil where nobody knows.
    var durationSeconds: Double? {
        frameCount.map {
            StreamTime.seconds(max(0, $0 * frameTicks - headTrim - tailTrim(frameCount: $0)))
        }
    }

    /// Whether the length and the places of frames are exact.
    var isExact: Bool { isConstant && info?.claimedFrameCount != nil }

    /// About where a frame begins. Never behind it where all are of one length.
    func offset(ofFrame frame: Int) -> Int {
        if !isConstant, let byTable = offset(byTable: frame) { return byTable }
        return audioStart + max(0, Int(Double(frame) * frameLength) - 1)
    }

    /// Which frame it is that begins at an offset.
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

    /// By the table of contents, whose entry *i* is the place of *i* % of the time in 256ths of the bytes.
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
        // The last entry that is not behind the place.
        let entry = table.entries.lastIndex { Double($0) <= place } ?? 0
        let low = Double(table.entries[entry])
        let high = entry < 99 ? Double(table.entries[entry + 1]) : 256
        let part = high > low ? min(1, (place - low) / (high - low)) : 0
        return Int(((Double(entry) + part) / 100 * Double(table.frames)).rounded())
    }
}
