import AudioFrames
import Testing

@testable import MP4Audio

/// Configurations of AAC decoders, as encoders write them.
@Suite("AAC configurations")
struct AACConfigurationTests {
    private static let samples: [(bytes: [UInt8], core: Int, rate: Int, channels: Int, unit: Int)] = [
        // AAC-LC, 44.1 kHz, stereo; mono 8 kHz; 5.1 at 48 kHz; 7.1 at 48 kHz.
        ([0x12, 0x10], 44_100, 44_100, 2, 1024), ([0x15, 0x88], 8_000, 8_000, 1, 1024),
        ([0x11, 0xB0], 48_000, 48_000, 6, 1024), ([0x11, 0xB8], 48_000, 48_000, 8, 1024),
        // 960 samples.
        ([0x12, 0x14], 44_100, 44_100, 2, 960),
        // HE-AAC: object type 5, 22.05 kHz, extended to 44.1 kHz; then as an extension that older decoders ignore.
        ([0x2B, 0x92, 0x08, 0x00], 22_050, 44_100, 2, 2048),
        ([0x13, 0x90, 0x56, 0xE5, 0xA0], 22_050, 44_100, 2, 2048),
        // HE-AAC v2: object type 29, mono, and as an extension.
        ([0xEB, 0x8A, 0x08, 0x00], 22_050, 44_100, 2, 2048),
        ([0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80], 22_050, 44_100, 2, 2048),
        // A rate of its own: 15, then 24 bits: 44,100.
        ([0x17, 0x80, 0x56, 0x22, 0x10], 44_100, 44_100, 2, 1024),
    ]

    @Test("Core, output rate, channels and samples of a unit", arguments: samples.indices)
    func reading(index: Int) throws {
        let sample = Self.samples[index]
        let configuration = try AACConfiguration(sample.bytes)
        #expect(configuration.coreSampleRate == sample.core && configuration.sampleRate == sample.rate)
        #expect(configuration.channelCount == sample.channels && configuration.unitSamples == sample.unit)
        #expect(configuration.objectType == 2)
        #expect(configuration.hasBandReplication == (sample.rate > sample.core))
    }

    @Test("Channels of a program config element are counted")
    func programConfig() throws {
        // LC, 48 kHz, channels 0; element: LC, 48 kHz; front: a single and a pair, back: a pair, one for low frequencies.
        var bits = "00010" + "0011" + "0000" + "0" + "0" + "0"
        bits += "0000" + "01" + "0011" + "0010" + "0000" + "0001" + "01" + "000" + "0000" + "0" + "0" + "0"
        bits += "0" + "0000" + "1" + "0000" + "1" + "0001" + "0000"
        while bits.count % 8 != 0 { bits += "0" }
        let digits = Array(bits)
        let bytes = stride(from: 0, to: digits.count, by: 8).map {
            UInt8(String(digits[$0..<$0 + 8]), radix: 2) ?? 0
        }
        #expect(try AACConfiguration(bytes).channelCount == 6)
    }

    @Test("Other object types and damage are rejected")
    func rejected() {
        // Empty, cut off, xHE-AAC (object type 42), ALS (36), a reserved rate, reserved channels.
        for bytes in [[], [0x12], [0xF9, 0x4C, 0x40], [0xF8, 0x80, 0x00], [0x16, 0x90], [0x12, 0x40]]
            as [[UInt8]]
        {
            #expect(throws: AudioFormatError.self) { try AACConfiguration(bytes) }
        }
    }
}
