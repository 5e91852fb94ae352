/// Sound with integers of any size and any number of channels, and FLAC files of it made by the reference encoder.
public struct IntegerSound: Sendable {
    /// Samples per second.
    public let sampleRate: Int
    /// Samples of each channel, within the bit depth.
    public let channels: [[Int32]]
    /// Bits per sample: 8, 16, 24 or 32.
    public let bitDepth: Int

    /// Creates sound from samples.
    public init(sampleRate: Int, channels: [[Int32]], bitDepth: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.bitDepth = bitDepth
    }

    /// Creates tones of a different pitch in each channel, with noise, at half of full scale.
    public static func tones(
        frameCount: Int, sampleRate: Int = 44_100, channelCount: Int = 2, bitDepth: Int = 16, seed: UInt64 = 1
    ) -> IntegerSound {
        var random = SeededGenerator(seed: seed)
        let full = Double(1 << (bitDepth - 1))
        let channels = (0..<channelCount).map { channel in
            (0..<frameCount).map { index -> Int32 in
                // A triangle wave needs no sine, and has harmonics.
                let period = Double(sampleRate) / (200 + 70 * Double(channel))
                let place = Double(index).truncatingRemainder(dividingBy: period) / period
                let value = 0.4 * (4 * abs(place - 0.5) - 1) + Double.random(in: -0.05...0.05, using: &random)
                return Int32((value * full).rounded())
            }
        }
        return IntegerSound(sampleRate: sampleRate, channels: channels, bitDepth: bitDepth)
    }

    /// Samples per channel.
    public var frameCount: Int { channels.first?.count ?? 0 }

    /// The interleaved samples, little-endian.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for index in 0..<frameCount {
            for channel in channels {
                for byte in 0..<bitDepth / 8 {
                    bytes.append(UInt8(truncatingIfNeeded: channel[index] >> (8 * byte)))
                }
            }
        }
        return bytes
    }

    /// Encodes the sound with `flac`.
    public func flac(_ options: [String] = []) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let input = try directory.write(bytes, as: "in.raw")
        let format = [
            "--force-raw-format", "--endian=little", "--sign=signed", "--channels=\(channels.count)",
            "--bps=\(bitDepth)", "--sample-rate=\(sampleRate)",
        ]
        try ProcessRun.run(
            "flac", ["--silent", "--lax"] + format + options + ["-o", directory.file("out.flac"), input])
        return try directory.read("out.flac")
    }
}
