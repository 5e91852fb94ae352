internal import AudioFrames
internal import AudioChannels

/// The chunks of an AIFF or AIFF-C file that describe and contain the samples (Apple, "Audio Interchange File Format", 1989, and
/// "AIFF-C", 1991).
struct AIFFHeader {
    private let fields: CommonFields?
    private let sound: (content: Range<Int>, statedSize: Int)?

    /// Fields of the chunk "COMM".
    private struct CommonFields {
        let channelCount: Int
        let sampleCount: Int
        let bits: Int
        let sampleRate: Double
        /// Of AIFF-C.
        let compression: FourCharacters?
    }

    /// Bytes of the chunk "SSND" before the samples.
    private static let soundHeaderSize = 8

    init(_ bytes: RawSpan) {
        let isCompressed = bytes.code(at: 8) == "AIFC"
        let reader = ChunkReader(isBigEndian: true, openSize: nil)
        var found: (fields: CommonFields?, sound: (Range<Int>, Int)?) = (nil, nil)
        reader.forEach(bytes, from: 12) { chunk in
            switch chunk.name {
            case "COMM":
                if found.fields == nil { found.fields = Self.fields(bytes, chunk.content, isCompressed) }
            case "SSND":
                if found.sound == nil { found.sound = Self.sound(bytes, chunk) }
            default: break
            }
            return found.fields == nil || found.sound == nil
        }
        fields = found.fields
        sound = found.sound.map { ($0.0, $0.1) }
    }

    private static func fields(_ bytes: RawSpan, _ range: Range<Int>, _ isCompressed: Bool) -> CommonFields? {
        guard range.count >= 18 else { return nil }
        func number(_ offset: Int, _ count: Int) -> Int {
            bytes.number(at: range.lowerBound + offset, byteCount: count, isBigEndian: true)
        }
        return CommonFields(
            channelCount: number(0, 2), sampleCount: number(2, 4), bits: number(6, 2),
            sampleRate: rate(exponent: number(8, 2), mantissaHigh: number(10, 4)),
            compression: isCompressed ? bytes.code(at: range.lowerBound + 18) ?? "NONE" : nil)
    }

    /// The sample rate, a floating-point number of 80 bits: its sign and exponent, and the upper half of its mantissa.
    private static func rate(exponent: Int, mantissaHigh: Int) -> Double {
        // Rates beyond 32 bits are no rates.
        guard exponent < 0x8000, exponent - 16_383 <= 32 else { return 0 }
        return Double(sign: .plus, exponent: exponent - 16_383 - 31, significand: Double(mantissaHigh))
    }

    private static func sound(_ bytes: RawSpan, _ chunk: ChunkReader.Chunk) -> (Range<Int>, Int)? {
        guard chunk.content.count >= soundHeaderSize else { return nil }
        let offset = bytes.number(at: chunk.content.lowerBound, byteCount: 4, isBigEndian: true)
        let start = min(chunk.content.lowerBound + soundHeaderSize + offset, chunk.content.upperBound)
        return (start..<chunk.content.upperBound, max(0, chunk.statedSize - soundHeaderSize - offset))
    }

    func stream() throws(AudioFormatError) -> PCMAudioStream {
        guard let fields else {
            throw AudioFormatError(
                .noFormat, "the AIFF file has no chunk that describes its samples (\"COMM\")")
        }
        let rate = Int(exactly: fields.sampleRate.rounded()) ?? 0
        guard 1...PCMAudioStream.maximumChannels ~= fields.channelCount, rate > 0 else {
            throw AudioFormatError(
                .noFormat,
                "the AIFF file states \(fields.channelCount) channels at \(rate) Hz; supported are 1 to "
                    + "\(PCMAudioStream.maximumChannels) channels")
        }
        let coding = try Self.coding(fields)
        guard let sound else {
            throw AudioFormatError(.noAudio, "the AIFF file has no chunk with samples (\"SSND\")")
        }
        let format = PCMFormat(
            sampleRate: rate, coding: coding, layout: .flac(channelCount: fields.channelCount))
        // The chunk may be longer than the samples, which end where the header says.
        let stated = fields.sampleCount.multipliedReportingOverflow(by: format.frameSize)
        let size = stated.overflow || stated.partialValue == 0 ? sound.statedSize : stated.partialValue
        let content = sound.content.prefix(min(size, sound.content.count))
        return PCMAudioStream(.aiff, format, content: content, statedByteCount: size)
    }

    private static func coding(_ fields: CommonFields) throws(AudioFormatError) -> SampleCoding {
        let bytes = (fields.bits + 7) / 8
        let coding: SampleCoding? =
            switch fields.compression {
            case nil, "NONE", "twos":
                SampleCoding(.signed, byteCount: bytes, isBigEndian: true, bitDepth: fields.bits)
            case "sowt": SampleCoding(.signed, byteCount: bytes, isBigEndian: false, bitDepth: fields.bits)
            case "raw ": SampleCoding(.unsigned, byteCount: 1, isBigEndian: true)
            case "in24": SampleCoding(.signed, byteCount: 3, isBigEndian: true)
            case "in32": SampleCoding(.signed, byteCount: 4, isBigEndian: true)
            case "fl32", "FL32": SampleCoding(.float, byteCount: 4, isBigEndian: true)
            case "fl64", "FL64": SampleCoding(.float, byteCount: 8, isBigEndian: true)
            case "alaw", "ALAW": SampleCoding(.aLaw, byteCount: 1, isBigEndian: true)
            case "ulaw", "ULAW": SampleCoding(.muLaw, byteCount: 1, isBigEndian: true)
            case let other?:
                throw AudioFormatError(
                    .unsupportedCodec,
                    "the AIFF-C file contains audio of compression \"\(other.text)\"; only PCM, A-law and µ-law "
                        + "are supported")
            }
        guard let coding else {
            throw AudioFormatError(
                .unsupportedCodec, "the AIFF file has samples of \(fields.bits) bits, which is not supported")
        }
        return coding
    }
}
