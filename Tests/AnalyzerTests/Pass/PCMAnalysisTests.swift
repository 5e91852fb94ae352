import Foundation
import MusicShared
import TestSupport
import Testing

@testable import Analyzer

/// Passes over WAV and AIFF files.
@Suite("WAV and AIFF analysis")
struct PCMAnalysisTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func analysis(_ bytes: [UInt8]) throws -> TrackAnalysis { try .of(bytes, in: directory) }

    /// Converts a FLAC file with ffmpeg.
    private func converted(_ flac: [UInt8], to ending: String, _ options: [String]) throws -> [UInt8] {
        let input = try directory.write(flac, as: "in.flac")
        try ProcessRun.run(
            "ffmpeg", ["-v", "error", "-y", "-i", input] + options + [directory.file("out.\(ending)")])
        return try directory.read("out.\(ending)")
    }

    @Test(
        "All measurements equal those of the same samples in FLAC",
        arguments: [
            ("wav", 2, ["-c:a", "pcm_s24le"]), ("aiff", 2, ["-c:a", "pcm_s24be"]),
            ("wav", 6, ["-c:a", "pcm_s24le"]),
        ])
    func sameAsFLAC(ending: String, channels: Int, options: [String]) throws {
        let sound = IntegerSound.tones(
            frameCount: 48_000 * 6 + 11, sampleRate: 48_000, channelCount: channels, bitDepth: 24)
        let flac = try sound.flac()
        let (own, other) = (try analysis(converted(flac, to: ending, options)), try analysis(flac))
        #expect(own.profile == other.profile)
        #expect(own.stream.format == (ending == "wav" ? .wav : .aiff))
        #expect(own.stream.sampleCount == sound.frameCount && own.stream.bitDepth == 24)
        #expect(own.stream.channels == channels && own.stream.bitRateMode == "lossless")
        #expect(own.stream.averageBitRate == 48_000 * channels * 24)
        #expect(own.stream.remarks.isEmpty && own.audioHash != other.audioHash)
    }

    @Test("The audio hash does not depend on tags", arguments: ["wav", "aiff"])
    func identity(ending: String) throws {
        let flac = try IntegerSound.tones(frameCount: 44_100).flac()
        let plain = try analysis(converted(flac, to: ending, ["-bitexact"]))
        let tagged = try analysis(
            converted(flac, to: ending, ["-write_id3v2", "1", "-metadata", "title=Night Ferry"]))
        #expect(plain == tagged)
    }

    @Test("A cut file is measured as far as it goes, with a remark, and is not playable")
    func truncated() throws {
        let whole = PCM.music(frameCount: 44_100 * 3).wav
        let cut = Array(whole.prefix(whole.count / 2))
        let stream = try analysis(cut).stream
        #expect(stream.sampleCount == (cut.count - 44) / 4)
        #expect(stream.remarks == ["the header claims 132300 samples, found \((cut.count - 44) / 4)"])
        let file = try MappedFile(path: Array(directory.write(cut, as: "cut.wav").utf8))
        let error = #expect(throws: AnalyzerError.self) { try PlayableAudio(checking: file) }
        #expect(error?.code == .truncated)
    }

    @Test("Rates that cannot be measured are rejected with the rate")
    func rates() throws {
        let flac = try IntegerSound.tones(frameCount: 8_000, sampleRate: 8_000).flac()
        let bytes = try converted(flac, to: "wav", ["-ar", "4000"])
        let error = #expect(throws: AnalyzerError.self) { try analysis(bytes) }
        #expect(error?.code == .unsupportedSampleRate && error?.message.contains("4000 Hz") == true)
    }
}
