public import AudioFrames

extension MP4AudioIndex {
    /// "MP4X", and the version of the format.
    private static let magic = Array("MP4X".utf8) + [1]
    /// No unit is larger: the tables state sizes in 32 bits, and an ALAC unit of 65,536 samples in eight channels has 2 MiB.
    static let longestUnit = 1 << 24
    /// The most samples of a unit.
    private static let mostSamples = 1 << 16
    /// The longest audio, in samples.
    private static let mostTotal = 1 << 48

    /// Returns the index as bytes, which ``init(decoding:start:)`` reads. Offsets are relative to the payload's first byte.
    public func encoded() -> [UInt8] {
        var bytes = Self.magic
        let configuration: [UInt8]
        switch codec {
        case .aac(let aac):
            configuration = aac.bytes
            bytes += [aac.isImplicit ? 2 : 0, UInt8(truncatingIfNeeded: aac.channelCount)]
        case .alac(let alac):
            configuration = alac.bytes
            bytes += [1, UInt8(truncatingIfNeeded: alac.channelCount)]
        }
        for number in [configuration.count, played.lowerBound, played.count, units.count] {
            PackedNumbers.put(number, to: &bytes)
        }
        return bytes + configuration + units.entries
    }

    /// Reads an index.
    /// - Parameters:
    ///   - bytes: the result of ``encoded()``.
    ///   - start: offset of the payload in the file.
    /// - Throws: `malformedIndex`.
    public init(decoding bytes: [UInt8], start: Int = 0) throws(AudioFormatError) {
        guard bytes.starts(with: Self.magic) else {
            throw AudioFormatError(.malformedIndex, "the stored frame index is of an unknown version")
        }
        var reader = PackedNumberReader(bytes, position: Self.magic.count)
        let kind = try reader.number(in: 0...2)
        let channels = try reader.number(in: 1...8)
        let size = try reader.number(in: 1...1024)
        let first = try reader.number(in: 0...Self.mostTotal)
        let playedCount = try reader.number(in: 0...Self.mostTotal)
        let count = try reader.number(in: 0...bytes.count)
        let codec = try Self.codec(kind, try reader.array(size), channels: channels)
        var units = AccessUnitIndex(usualSamples: codec.unitSamples, start: start)
        var end = start
        for _ in 0..<count {
            let head = try reader.number(in: 2...Self.longestUnit << 1 | 1)
            var samples = codec.unitSamples
            if head & 1 != 0 {
                end += PackedNumbers.unfolded(try reader.number(in: 0...1 << 50))
                samples = try reader.number(in: 1...Self.mostSamples)
            }
            guard end >= start, end < 1 << 52 else {
                throw AudioFormatError(.malformedIndex, "the stored frame index leaves the audio")
            }
            units.append(end..<end + head >> 1, sampleCount: samples)
            end += head >> 1
        }
        guard reader.isAtEnd, first + playedCount <= units.sampleCount else {
            throw AudioFormatError(.malformedIndex, "the stored frame index contradicts itself")
        }
        self.init(codec: codec, units: units, played: first..<first + playedCount)
    }

    private static func codec(
        _ kind: Int, _ configuration: [UInt8], channels: Int
    ) throws(AudioFormatError) -> MP4AudioCodec {
        do throws(AudioFormatError) {
            if kind == 1 { return .alac(try ALACConfiguration(configuration)) }
            let aac = try AACConfiguration(configuration)
            return .aac(
                kind == 2 ? aac.withReplication(channelCount: channels) : aac.with(channelCount: channels))
        } catch {
            throw AudioFormatError(.malformedIndex, "the stored frame index: \(error.message)")
        }
    }
}
