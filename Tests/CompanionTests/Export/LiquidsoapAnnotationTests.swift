import Analyzer
import Companion
import Foundation
import LibraryStore
import MusicFiles
import Testing
import TestSupport

/// Liquidsoap requests with the fields of autocue.
@Suite("Liquidsoap annotation")
struct LiquidsoapAnnotationTests {
    /// 8 s of a tone, 8 s of silence, 4 s of a tone.
    private func track() throws -> AnalysedTrack {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("music"), withIntermediateDirectories: true)
        let samples = (0..<44_100 * 20).map { index -> Int16 in
            let seconds = Double(index) / 44_100
            return (8..<16).contains(seconds) ? 0 : Int16(8_000 * sin(2 * .pi * 440 * seconds))
        }
        let bytes = try Encoders.lame(
            PCM(sampleRate: 44_100, channelCount: 1, samples: samples), ["-V", "2", "-m", "m"])
        try directory.write(bytes, as: "music/a.mp3")
        let pass = try LibraryPass(
            music: MusicFolder(path: directory.file("music")), data: DataFolder(path: directory.file("data")),
            options: PassOptions())
        #expect(try pass.run().analyzedCount == 1)
        let path = try #require(RelativePath(text: "a.mp3"))
        return try #require(try pass.library.track(path: path))
    }

    @Test("Inner silence is skipped only on request, and the rest of the track is then cut")
    func blank() throws {
        let track = try track()
        for skips in [false, true] {
            let annotation = try #require(
                LiquidsoapAnnotation(track, uri: Array("a.mp3".utf8), skipsBlank: skips))
            let fields = Dictionary(uniqueKeysWithValues: annotation.fields.map { ($0.name, $0.value) })
            let cueOut = try #require(Double(fields["liq_cue_out"] ?? ""))
            #expect(abs(cueOut - (skips ? 8 : 20)) < 0.1)
            #expect(fields["liq_blank_skipped"] == "\(skips)")
            #expect(fields["liq_blankskip"] == (skips ? "5.000" : "0.000"))
            let next = try #require(Double(fields["liq_cross_start_next"] ?? ""))
            #expect(next <= cueOut)
            #expect(fields["duration"] == "20.000")
        }
    }

    @Test("The request ends with the bytes of the file's path")
    func uri() throws {
        let track = try track()
        let annotation = try #require(LiquidsoapAnnotation(track, uri: [0x61, 0xE9]))
        #expect(annotation.bytes.suffix(4) == [0x22, 0x3A, 0x61, 0xE9])
        #expect(annotation.fitsOnOneLine)
        #expect(LiquidsoapAnnotation(track, uri: [0x61, 0x0A])?.fitsOnOneLine == false)
    }
}
