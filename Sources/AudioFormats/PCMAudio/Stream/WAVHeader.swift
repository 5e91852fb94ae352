internal import AudioFrames
internal import AudioChannels

/// The chunks of a WAV file that describe and contain the samples (Microsoft and IBM, "Multimedia Programming Interface and Data
/// Specifications", 1991; EBU Tech 3306 for RF64; ITU-R BS.2088 for BW64).
struct WAVHeader {
    /// The content of the chunk "fmt "; nil without one.
    private(set) var format: Range<Int>?
    private var data: ChunkReader.Chunk?
    private var isDataOpen = false
    private let bytesOfFormat: FormatFields?

    /// Fields of the chunk "fmt ".
    private struct FormatFields {
        let tag: Int
        let channelCount: Int
        let sampleRate: Int
        let frameSize: Int
        let bits: Int
        /// Of an extensible format.
        var validBits: Int?
        var mask: Int?
    }

    private static let extensibleTag = 0xFFFE
    /// A size that stands for an unknown one, and in RF64 for one in the chunk "ds64".
    private static let openSize = 0xFFFF_FFFF

    init(_ bytes: RawSpan) {
        var reader = ChunkReader(isBigEndian: false, openSize: Self.openSize)
        var found: (format: Range<Int>?, data: ChunkReader.Chunk?) = (nil, nil)
        if let first = reader.chunk(bytes, at: 12), first.name == "ds64", first.content.count >= 24 {
            let high = bytes.number(at: first.content.lowerBound + 12, byteCount: 4, isBigEndian: false)
            let low = bytes.number(at: first.content.lowerBound + 8, byteCount: 4, isBigEndian: false)
            if high < 1 << 24 { reader.largeSizes["data"] = high << 32 | low }
        }
        reader.forEach(bytes, from: 12) { chunk in
            switch chunk.name {
            case "fmt ": if found.format == nil { found.format = chunk.content }
            case "data": if found.data == nil { found.data = chunk }
            default: break
            }
            return found.format == nil || found.data == nil
        }
        (format, data) = found
        // Programs that write to a pipe leave the size as it was at first: zero, or as large as possible.
        if let data, data.statedSize == 0, data.content.upperBound < bytes.byteCount,
            reader.chunk(bytes, at: data.content.upperBound).map({ Self.knownNames.contains($0.name) })
                != true
        {
            self.data = ChunkReader.Chunk(
                name: data.name, content: data.content.lowerBound..<bytes.byteCount, statedSize: 0)
            isDataOpen = true
        }
        if let data, reader.largeSizes[data.name] == nil,
            data.statedSize >= Self.smallestOpenSize, data.content.upperBound == bytes.byteCount
        {
            isDataOpen = true
        }
        bytesOfFormat = format.flatMap { Self.fields(bytes, $0) }
    }

    /// Names that follow an empty chunk "data" if it is really empty.
    private static let knownNames: Set<FourCharacters> = [
        "LIST", "id3 ", "ID3 ", "fact", "cue ", "fmt ", "bext",
    ]
    /// Stated sizes from here on may be a placeholder of a program that could not go back: the largest even 31-bit number less
    /// what headers take.
    private static let smallestOpenSize = 0x7FFF_0000

    private static func fields(_ bytes: RawSpan, _ range: Range<Int>) -> FormatFields? {
        guard range.count >= 16 else { return nil }
        func number(_ offset: Int, _ count: Int) -> Int {
            bytes.number(at: range.lowerBound + offset, byteCount: count, isBigEndian: false)
        }
        var fields = FormatFields(
            tag: number(0, 2), channelCount: number(2, 2), sampleRate: number(4, 4), frameSize: number(12, 2),
            bits: number(14, 2))
        // An extensible format has its tag at the start of a GUID.
        if fields.tag == extensibleTag, range.count >= 40 {
            fields = FormatFields(
                tag: number(24, 2), channelCount: fields.channelCount, sampleRate: fields.sampleRate,
                frameSize: fields.frameSize, bits: fields.bits, validBits: number(18, 2), mask: number(20, 4))
        }
        return fields
    }

    func stream() throws(AudioFormatError) -> PCMAudioStream {
        guard let fields = bytesOfFormat else {
            throw AudioFormatError(
                .noFormat, "the WAV file has no chunk that describes its samples (\"fmt \")")
        }
        guard 1...PCMAudioStream.maximumChannels ~= fields.channelCount, fields.sampleRate > 0 else {
            throw AudioFormatError(
                .noFormat,
                "the WAV file states \(fields.channelCount) channels at \(fields.sampleRate) Hz; supported are 1 to "
                    + "\(PCMAudioStream.maximumChannels) channels")
        }
        let coding = try Self.coding(fields)
        guard let data else {
            throw AudioFormatError(.noAudio, "the WAV file has no chunk with samples (\"data\")")
        }
        return PCMAudioStream(
            .wav,
            PCMFormat(
                sampleRate: fields.sampleRate, coding: coding,
                layout: .wav(mask: fields.mask ?? 0, channelCount: fields.channelCount)),
            content: data.content, statedByteCount: isDataOpen ? nil : data.statedSize)
    }

    private static func coding(_ fields: FormatFields) throws(AudioFormatError) -> SampleCoding {
        let stated = fields.frameSize / fields.channelCount
        let byteCount =
            stated * fields.channelCount == fields.frameSize && stated > 0 ? stated : (fields.bits + 7) / 8
        let bits = fields.validBits.flatMap { $0 > 0 ? $0 : nil } ?? fields.bits
        let kind: SampleCoding.Kind
        switch fields.tag {
        case 1: kind = byteCount == 1 ? .unsigned : .signed
        case 3: kind = .float
        case 6: kind = .aLaw
        case 7: kind = .muLaw
        case 0x50, 0x55: throw AudioFormatError(.wrapsMP3, "the WAV file contains MP3 frames")
        default:
            throw AudioFormatError(
                .unsupportedCodec,
                "the WAV file contains \(codecNames[fields.tag] ?? "audio of format \(fields.tag)"); "
                    + "only PCM, A-law and µ-law are supported")
        }
        let depth = kind == .signed || kind == .unsigned ? bits : nil
        guard
            let coding = SampleCoding(kind, byteCount: byteCount, isBigEndian: false, bitDepth: depth)
                ?? SampleCoding(kind, byteCount: byteCount, isBigEndian: false)
        else {
            throw AudioFormatError(
                .unsupportedCodec, "the WAV file has samples of \(byteCount) bytes, which is not supported")
        }
        return coding
    }

    /// Names of formats that a WAV file may wrap.
    private static let codecNames = [
        2: "Microsoft ADPCM", 17: "IMA ADPCM", 49: "GSM 6.10", 255: "AAC",
        353: "Windows Media Audio", 354: "Windows Media Audio",
    ]
}
