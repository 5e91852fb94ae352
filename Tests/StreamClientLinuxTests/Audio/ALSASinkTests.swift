import StreamClientLinux
import StreamClient
import TestSupport
import Testing

/// ALSA devices that need no hardware.
@Suite("ALSA")
struct ALSASinkTests {
    @Test("ALSA receives exactly what was written", arguments: [1, 2])
    func file(_ channels: Int) async throws {
        // ALSA's file plugin, which plays to the null device.
        let directory = try TemporaryDirectory()
        let path = directory.file("out.raw")
        let sink = ALSASink(device: "file:FILE=\(path),FORMAT=raw")
        let asked = AudioFormat(sampleRate: 44_100, channelCount: channels)
        #expect(try await sink.open(asked) == asked)
        let samples = Signal(sampleRate: 44_100).sine(440, peakDB: -6, 1).samples
        for start in stride(from: 0, to: samples.count, by: 1000) {
            try await sink.write(Array(samples[start..<min(start + 1000, samples.count)]))
        }
        await sink.drain()
        await sink.close()
        let raw = try directory.read("out.raw")
        let made = stride(from: 0, to: raw.count - 3, by: 4).map { place in
            Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(raw[place + $1]) << (8 * $1) })
        }
        #expect(made == samples)
    }

    @Test("The null device accepts any format", arguments: [8000, 44_100, 48_000], [1, 2])
    func null(_ rate: Int, _ channels: Int) async throws {
        let sink = ALSASink(device: "null")
        let asked = AudioFormat(sampleRate: rate, channelCount: channels)
        #expect(try await sink.open(asked) == asked)
        for _ in 0..<20 { try await sink.write([Float](repeating: 0.25, count: 1024 * channels)) }
        await sink.drain()
        try await sink.write([Float](repeating: 0, count: 512 * channels))
        await sink.close()
        // After closing, further samples are discarded.
        try await sink.write([0, 0])
    }

    @Test("A missing device is an error that contains its name")
    func missing() async throws {
        let sink = ALSASink(device: "no-such-device")
        do {
            _ = try await sink.open(AudioFormat(sampleRate: 44_100, channelCount: 2))
            Issue.record("a missing device was opened")
        } catch {
            #expect(error.code == .outputFailed && error.description.contains("no-such-device"))
        }
    }
}
