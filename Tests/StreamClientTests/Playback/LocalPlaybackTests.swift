import ClientTestSupport
import StreamClient
import TestSupport
import Testing

/// Local files played through the whole engine, compared with the output of mpg123.
@Suite("Local playback", .timeLimit(.minutes(30)))
struct LocalPlaybackTests {
    @Test(
        "An album matches its files decoded one after the other, sample for sample",
        arguments: [
            ["-b", "128"], ["-V", "2"], ["-b", "320"], ["--abr", "140"], ["-b", "32", "--resample", "22.05"],
            ["-m", "m", "-b", "64"], ["-b", "128", "-p"], ["-t", "-b", "128"],
        ])
    func album(_ options: [String]) async throws {
        let directory = try TemporaryDirectory()
        var items: [PlayableItem] = []
        var truth: [Float] = []
        // Lengths that end within a frame.
        for (number, length) in [44_100 * 3 + 17, 44_100 * 2 + 1000, 30_001].enumerated() {
            let music = PCM.music(frameCount: length, seed: UInt64(number + 1))
            let path = try directory.write(try Encoders.lame(music, options), as: "\(number).mp3")
            truth += try WAVSamples.mpg123(path).samples
            items.append(PlayableItem(file: path))
        }
        let end = await playToEnd(items, into: directory.file("out.wav"))
        #expect(end == .stopped(.endOfFile))
        let made = try WAVSamples(directory.file("out.wav"))
        #expect(made.samples.count == truth.count)
        #expect(WAVSamples.firstDifference(made.samples, truth) == nil)
    }
}
