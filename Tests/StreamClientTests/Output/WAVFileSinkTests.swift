import Foundation
import StreamClient
import TestSupport
import Testing

/// WAV files as read by ffmpeg and sox.
@Suite("WAV file")
struct WAVFileSinkTests {
    /// Decodes a file with ffmpeg to 32-bit floating-point samples.
    private func read(_ path: String) async throws -> [Float] {
        let raw = try await ProcessRun.aside(
            "ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-"]
        ).output
        return stride(from: 0, to: raw.count, by: 4).map { place in
            Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(raw[place + $1]) << (8 * $1) })
        }
    }

    @Test("Samples are written unchanged", arguments: [1, 2])
    func samples(_ channels: Int) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("out.wav")
        let samples = Signal(sampleRate: 44_100).sine(997, peakDB: -6, 0.5).samples
        let sink = WAVFileSink(path: path)
        let format = AudioFormat(sampleRate: 44_100, channelCount: channels)
        #expect(try await sink.open(format) == format)
        try await sink.write(Array(samples.prefix(1000)))
        try await sink.write(Array(samples.dropFirst(1000)))
        // A file keeps its format.
        #expect(try await sink.open(AudioFormat(sampleRate: 48_000, channelCount: 2)) == format)
        await sink.close()
        #expect(try await read(path) == samples)
        let about = try await ProcessRun.aside("sox", ["--i", path]).text
        #expect(about.contains("Channels       : \(channels)") && about.contains("44100"))
    }

    @Test("16-bit samples are rounded to nearest and clipped")
    func integers() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("out.wav")
        let sink = WAVFileSink(path: path, form: .integer16)
        _ = try await sink.open(AudioFormat(sampleRate: 8000, channelCount: 1))
        let step = Float(1) / 32_768
        try await sink.write([0, step, 1.4 * step, 1.6 * step, -0.5, 1, 2, -1, -2, .nan])
        await sink.close()
        let wanted: [Float] = [0, 1, 1, 2, -16_384, 32_767, 32_767, -32_768, -32_768, 0]
        #expect(try await read(path).map { ($0 * 32_768).rounded() } == wanted)
    }

    @Test("A missing folder is an error that contains the reason")
    func unwritable() async throws {
        let sink = WAVFileSink(path: "/no/such/folder/out.wav")
        await #expect(throws: PlaybackError.self) {
            try await sink.open(AudioFormat(sampleRate: 44_100, channelCount: 2))
        }
    }
}
