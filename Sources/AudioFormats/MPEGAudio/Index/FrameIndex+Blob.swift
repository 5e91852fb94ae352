internal import AudioFrames

/// The serialised form, version 1: "MFI", the version, then variable-length integers (7 bits per byte, low bits first).
///
///     flags (bit 0: free format)
///     section count, then for each: format byte, frame count
///     run count, then for each: kind, frame count, bytes skipped since the previous run
///         kind 0, paced:  base, numerator, denominator, phase
///         kind 1, packed: dictionary size, its lengths, then the symbols' bytes
///     CRC-32 of everything before, little-endian
extension FrameIndex {
    private static let magic: [UInt8] = [0x4D, 0x46, 0x49, 1]
    private static let maximumFrameCount = Int(Int32.max)
    private static let maximumFrameLength = 16_384
    private static let maximumOffset = 1 << 48

    /// Returns the serialised index: a few dozen bytes for a constant bit rate, otherwise about half a byte per frame.
    public func encoded() -> [UInt8] {
        var bytes = Self.magic
        func put(_ number: Int) { PackedNumbers.put(number, to: &bytes) }
        put(isFreeFormat ? 1 : 0)
        put(sections.count)
        for section in sections {
            put(Self.code(section.format))
            put(section.frames.count)
        }
        put(runs.count)
        var end = 0
        for run in runs {
            switch run.lengths {
            case .paced(let pacing):
                put(0)
                put(run.frameCount)
                put(run.offset - end)
                for number in [pacing.base, pacing.numerator, pacing.denominator, pacing.phase] {
                    put(number)
                }
            case .packed(let packed):
                put(1)
                put(run.frameCount)
                put(run.offset - end)
                put(packed.dictionary.count)
                for length in packed.dictionary { put(Int(length)) }
                bytes += packed.symbols
            }
            end = run.endOffset
        }
        let checksum = CRC32.checksum(bytes)
        for shift in [0, 8, 16, 24] as [UInt32] {
            bytes.append(UInt8(truncatingIfNeeded: checksum >> shift))
        }
        return bytes
    }

    /// Parses an index written by ``encoded()``.
    ///
    /// - Throws: ``MPEGAudioError/Code/malformedIndex`` if the data is truncated, damaged, of an unknown version, or describes
    ///   invalid frames. Memory use is proportional to the size of the data.
    public init(decoding blob: [UInt8]) throws(MPEGAudioError) {
        guard blob.count >= Self.magic.count + 4, blob.starts(with: Self.magic.dropLast()) else {
            throw MPEGAudioError(.malformedIndex, "the stored frame index has an invalid header")
        }
        guard blob[3] == Self.magic[3] else {
            throw MPEGAudioError(
                .malformedIndex, "the stored frame index has version \(blob[3]), not \(Self.magic[3])")
        }
        let body = Array(blob.dropLast(4))
        let stored = blob.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard CRC32.checksum(body) == stored else {
            throw MPEGAudioError(.malformedIndex, "the stored frame index does not match its checksum")
        }
        var reader = PackedNumberReader(body, position: Self.magic.count)
        do throws(AudioFormatError) {
            let flags = try reader.number(in: 0...1)
            let sections = try Self.readSections(&reader)
            let runs = try Self.readRuns(&reader)
            try reader.finish()
            guard sections.last?.frames.upperBound == runs.last?.frames.upperBound else {
                throw reader.failure("is inconsistent")
            }
            self.init(sections: sections, runs: runs, isFreeFormat: flags == 1)
        } catch {
            throw MPEGAudioError(.malformedIndex, error.message)
        }
    }

    private static func readSections(_ reader: inout PackedNumberReader) throws(AudioFormatError)
        -> [StreamSection]
    {
        var sections: [StreamSection] = []
        for _ in 0..<(try reader.number(in: 0...maximumFrameCount)) {
            guard let format = format(code: try reader.number(in: 0...63)) else {
                throw reader.failure("contains an unknown format")
            }
            let start = sections.last?.frames.upperBound ?? 0
            let frameCount = try reader.number(in: 1...maximumFrameCount)
            guard start + frameCount <= maximumFrameCount else {
                throw reader.failure("has too many frames")
            }
            sections.append(
                StreamSection(
                    format: format, frames: start..<start + frameCount,
                    startTicks: sections.last?.endTicks ?? 0))
        }
        return sections
    }

    private static func readRuns(_ reader: inout PackedNumberReader) throws(AudioFormatError) -> [FrameRun] {
        var runs: [FrameRun] = []
        for _ in 0..<(try reader.number(in: 0...maximumFrameCount)) {
            let kind = try reader.number(in: 0...1)
            let firstFrame = runs.last?.frames.upperBound ?? 0
            let frameCount = try reader.number(in: 1...maximumFrameCount)
            let offset = (runs.last?.endOffset ?? 0) + (try reader.number(in: 0...maximumOffset))
            guard firstFrame + frameCount <= maximumFrameCount, offset <= maximumOffset else {
                throw reader.failure("has too many frames")
            }
            let lengths: FrameRun.Lengths
            let byteCount: Int
            if kind == 0 {
                let pacing = try readPacing(&reader)
                byteCount = pacing.offset(ofFrame: frameCount)
                lengths = .paced(pacing)
            } else {
                let packed = try readPacked(&reader, frameCount: frameCount)
                byteCount = packed.offset(ofFrame: frameCount - 1) + packed.length(ofFrame: frameCount - 1)
                guard byteCount <= UInt32.max else {
                    throw reader.failure("contains an oversized run")
                }
                lengths = .packed(packed)
            }
            runs.append(
                FrameRun(
                    firstFrame: firstFrame, frameCount: frameCount, offset: offset, byteCount: byteCount,
                    lengths: lengths))
        }
        return runs
    }

    private static func readPacing(_ reader: inout PackedNumberReader) throws(AudioFormatError) -> FramePacing
    {
        let base = try reader.number(in: 1...maximumFrameLength)
        let numerator = try reader.number(in: 0...48_000)
        let denominator = try reader.number(in: 1...48_000)
        let phase = try reader.number(in: 0...48_000)
        guard numerator < denominator, phase < denominator else {
            throw reader.failure("contains invalid pacing")
        }
        return FramePacing(base: base, numerator: numerator, denominator: denominator, phase: phase)
    }

    private static func readPacked(
        _ reader: inout PackedNumberReader, frameCount: Int
    ) throws(AudioFormatError) -> PackedLengths {
        let size = try reader.number(in: 1...1 << PackedLengths.maximumWidth)
        var dictionary: [UInt16] = []
        for _ in 0..<size { dictionary.append(UInt16(try reader.number(in: 1...maximumFrameLength))) }
        let width = PackedLengths.width(forDictionaryOf: size)
        let symbols = try reader.array((frameCount * width + 7) / 8)
        // Runs are closed long before their checkpoints could overflow 32 bits.
        guard frameCount <= 1 << 18,
            let packed = PackedLengths(dictionary: dictionary, packed: symbols, frameCount: frameCount)
        else {
            throw reader.failure("refers to a missing length")
        }
        return packed
    }

    /// Encodes version, channel mode and sample-rate index in two bits each.
    private static func code(_ format: StreamFormat) -> Int {
        let rate = (0..<3).first {
            BitRateTable.sampleRate(version: format.version, index: $0) == format.sampleRate
        }
        return Int(format.version.rawValue) | Int(format.channelMode.rawValue) << 2 | (rate ?? 0) << 4
    }

    private static func format(code: Int) -> StreamFormat? {
        guard let version = MPEGVersion(rawValue: UInt8(code & 3)),
            let channelMode = ChannelMode(rawValue: UInt8(code >> 2 & 3)),
            let sampleRate = BitRateTable.sampleRate(version: version, index: code >> 4)
        else { return nil }
        return StreamFormat(
            version: version, layer: .layer3, sampleRate: sampleRate, channelMode: channelMode)
    }
}
