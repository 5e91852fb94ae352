/// Converts interleaved samples to floating point: full scale of integers becomes 1.
public struct SampleReader: Sendable {
    private let coding: SampleCoding
    private let channelCount: Int

    /// - Parameters:
    ///   - coding: the coding of the samples.
    ///   - channelCount: number of interleaved channels.
    public init(_ coding: SampleCoding, channelCount: Int) {
        self.coding = coding
        self.channelCount = channelCount
    }

    /// Converts all samples of `bytes`.
    /// - Parameters:
    ///   - bytes: whole frames, each with a sample of every channel.
    ///   - channels: receives the samples of each channel; each element has room for all frames.
    public func read(_ bytes: RawSpan, into channels: [UnsafeMutableBufferPointer<Float>]) {
        let frameSize = coding.byteCount * channelCount
        guard frameSize > 0, channels.count == channelCount else { return }
        let count = bytes.byteCount / frameSize
        for (number, channel) in channels.enumerated() where channel.count >= count {
            let first = number * coding.byteCount
            switch (coding.kind, coding.byteCount) {
            case (.signed, 2):
                read(bytes, first, frameSize, count, channel) { (sample: UInt16) in
                    Float(Int16(bitPattern: sample)) * 0x1p-15
                }
            case (.signed, 4):
                read(bytes, first, frameSize, count, channel) { (sample: UInt32) in
                    Float(Int32(bitPattern: sample)) * 0x1p-31
                }
            case (.float, 4):
                read(bytes, first, frameSize, count, channel) { (sample: UInt32) in
                    Self.finite(Float(bitPattern: sample))
                }
            case (.float, _):
                read(bytes, first, frameSize, count, channel) { (sample: UInt64) in
                    Self.finite(Float(Double(bitPattern: sample)))
                }
            case (.signed, 3): readTriples(bytes, first, frameSize, count, channel)
            case (.signed, _): readBytes(bytes, first, frameSize, count, channel, Self.signedBytes)
            case (.unsigned, _): readBytes(bytes, first, frameSize, count, channel, Self.unsignedBytes)
            case (.aLaw, _): readBytes(bytes, first, frameSize, count, channel, CompandedSamples.aLaw)
            case (.muLaw, _): readBytes(bytes, first, frameSize, count, channel, CompandedSamples.muLaw)
            }
        }
    }

    private static let signedBytes = (0..<256).map { Float(Int8(truncatingIfNeeded: $0)) * 0x1p-7 }
    private static let unsignedBytes = (0..<256).map { Float($0 - 128) * 0x1p-7 }

    /// A file may contain anything: what is not a number becomes silence, and nothing is larger than a meter can count.
    @inline(__always)
    private static func finite(_ sample: Float) -> Float {
        abs(sample) <= 64 ? sample : sample > 64 ? 64 : sample < -64 ? -64 : 0
    }

    @inline(__always)
    private func read<Sample: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: RawSpan, _ first: Int, _ frameSize: Int, _ count: Int,
        _ channel: UnsafeMutableBufferPointer<Float>, _ convert: (Sample) -> Float
    ) {
        bytes.withUnsafeBytes { bytes in
            for frame in 0..<count {
                let sample = bytes.loadUnaligned(fromByteOffset: first + frame * frameSize, as: Sample.self)
                channel[frame] = convert(
                    coding.isBigEndian ? Sample(bigEndian: sample) : Sample(littleEndian: sample))
            }
        }
    }

    private func readTriples(
        _ bytes: RawSpan, _ first: Int, _ frameSize: Int, _ count: Int,
        _ channel: UnsafeMutableBufferPointer<Float>
    ) {
        let (high, low) = coding.isBigEndian ? (0, 2) : (2, 0)
        bytes.withUnsafeBytes { bytes in
            for frame in 0..<count {
                let place = first + frame * frameSize
                let sample =
                    UInt32(bytes[place + high]) << 24 | UInt32(bytes[place + 1]) << 16
                    | UInt32(bytes[place + low]) << 8
                channel[frame] = Float(Int32(bitPattern: sample)) * 0x1p-31
            }
        }
    }

    private func readBytes(
        _ bytes: RawSpan, _ first: Int, _ frameSize: Int, _ count: Int,
        _ channel: UnsafeMutableBufferPointer<Float>, _ table: [Float]
    ) {
        bytes.withUnsafeBytes { bytes in
            for frame in 0..<count { channel[frame] = table[Int(bytes[first + frame * frameSize])] }
        }
    }
}
