import MusicalStructure
import Analyzer
import Companion
import Foundation
import TestSupport
import Testing

@testable import TrackView

@Suite struct TrackPictureTests {
    /// A picture as ffmpeg decodes it.
    struct Decoded {
        var width: Int
        var height: Int
        var bytes: [UInt8]

        init(_ png: Data) throws {
            let directory = try TemporaryDirectory()
            let path = try directory.write(png, as: "picture.png")
            let size = try ProcessRun.run(
                "ffprobe", ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path])
            let numbers = size.text.split { !$0.isNumber }.compactMap { Int($0) }
            (width, height) = (numbers[0], numbers[1])
            try ProcessRun.run(
                "ffmpeg",
                ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", directory.file("raw")])
            bytes = try directory.read("raw")
        }

        func pixel(_ x: Int, _ y: Int) -> (red: Int, green: Int, blue: Int) {
            let start = (y * width + x) * 3
            return (Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2]))
        }

        func brightness(_ x: Int, _ y: Int) -> Int {
            let pixel = pixel(x, y)
            return pixel.red + pixel.green + pixel.blue
        }
    }

    private func draw(seconds: Double, band: Int? = nil, profile: TrackProfile?) throws -> Decoded {
        let track = MadeUpTrack.track(analysis: MadeUpTrack.analysis(seconds: seconds, profile: profile))
        let frames = band.map { MadeUpTrack.frames(seconds: seconds, band: $0) }
        return try Decoded(TrackPicture.png(track: track, frames: frames))
    }

    @Test func isAPNGOfItsSize() throws {
        let track = MadeUpTrack.track(analysis: nil)
        let png = try TrackPicture.png(track: track, frames: nil)
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        let decoded = try Decoded(png)
        #expect(decoded.width == 1600 && decoded.height == 1060)
        #expect(decoded.bytes.count == 1600 * 1060 * 3)
    }

    /// The lines of the cue points, looked for between the waveform and the loudness, where nothing else is drawn.
    @Test(arguments: [(0.02, 0.9, 0.97), (0.1, 0.5, 0.75), (0.3333, 0.6667, 1.0)])
    func cueLinesStandAtTheirTimes(_ cueIn: Double, _ startNext: Double, _ cueOut: Double) throws {
        let seconds = 240.0
        var profile = MadeUpTrack.profile(seconds: seconds)
        profile.cue.cueInSeconds = cueIn * seconds
        profile.cue.fadeInEndSeconds = cueIn * seconds
        profile.cue.startNextSeconds = startNext * seconds
        profile.cue.cueOutSeconds = cueOut * seconds
        profile.cue.fadeOutStartSeconds = cueOut * seconds
        let picture = try draw(seconds: seconds, profile: profile)
        let y = Int(PictureLayout.waveform.bottom + 8)
        let background = picture.brightness(2, y)
        // The background is dark, the lines are not; names of axes lie outside.
        let lines = (76..<1508).filter { picture.brightness($0, y) > background + 150 }
        let expected = [cueIn, startNext, cueOut].map { Int(76 + min($0 * 1432, 1431)) }
        #expect(lines == expected)
        let green = picture.pixel(expected[0], y)
        let red = picture.pixel(expected[2], y)
        #expect(green.green > green.red + 50 && red.red > red.green + 50)
    }

    /// A tone is bright in its band, at a height that follows from the logarithmic axis, and dark elsewhere.
    @Test(arguments: [100.0, 440, 1_000, 5_000, 15_000])
    func tonesAreBrightInTheirBand(_ hertz: Double) throws {
        let band = try #require(BandLayout().band(atHz: hertz))
        let picture = try draw(seconds: 30, band: band, profile: nil)
        let area = PictureLayout.spectrogram
        let centre = BandLayout().centreHz(ofBand: band)
        let y = area.bottom - log(centre / 40) / log(400) * area.height
        #expect(picture.brightness(700, Int(y)) > 500)
        for octaves in [-1.0, 1] {
            let other = y - octaves * area.height / log2(400)
            if other > area.y, other < area.bottom { #expect(picture.brightness(700, Int(other)) < 100) }
        }
    }

    /// The triangle of the made-up waveform: its upper edge falls in a straight line.
    @Test func waveformHasItsShape() throws {
        let picture = try draw(seconds: 100, profile: MadeUpTrack.profile(seconds: 100))
        let area = PictureLayout.waveform
        let middle = area.y + area.height / 2
        func height(_ fraction: Double) -> Double {
            let x = Int(area.x + fraction * area.width)
            let blue = (Int(area.y + 10)..<Int(middle)).first { picture.pixel(x, $0).blue > 200 }
            return middle - Double(blue ?? Int(middle))
        }
        // Away from cue lines, silences and ticks.
        #expect(abs(height(0.3) / height(0.6) - 0.7 / 0.4) < 0.08)
        #expect(abs(height(0.15) / height(0.3) - 0.85 / 0.7) < 0.08)
    }

    @Test func beatsAreTicks() throws {
        var profile = MadeUpTrack.profile(seconds: 100)
        let beats = Array(stride(from: 0.5, to: 99, by: 1.25))
        profile.tempo = Tempo(bpm: 48, confidence: 1, firstBeatSeconds: 0.5, beatSeconds: beats)
        profile.waveform = WaveformOverview(
            sampleRateHz: 44_100, samplesPerPixel: 44_100, extremes: [Int8](repeating: 0, count: 200))
        let picture = try draw(seconds: 100, profile: profile)
        let y = Int(PictureLayout.waveform.bottom) - 3
        let cues = CueMark.marks(of: profile.cue).map { Int(76 + $0.seconds * 14.32) }
        let ticks = (77..<1507).filter { x in
            picture.brightness(x, y) > 450 && !cues.contains { abs($0 - x) < 2 }
        }
        let expected = beats.map { Int(76 + $0 * 14.32) }.filter { x in !cues.contains { abs($0 - x) < 2 } }
        #expect(ticks == expected)
    }

    /// Whatever an analysis holds, it is drawn without an error.
    @Test(arguments: TerminalReportTests.hostileTracks.indices)
    func drawsAnything(_ index: Int) throws {
        let track = TerminalReportTests.hostileTracks[index]
        var frames = MadeUpTrack.frames(seconds: 2, band: 5)
        if index == 3 { frames.framesPerSecond = 0 }
        if index == 5 { frames.levels = [1, 2, 3] }
        if index == 6 { frames.bandCount = 0 }
        let png = try TrackPicture.png(track: track, frames: index == 1 ? nil : frames)
        #expect(png.count > 10_000)
    }

    /// Ten hours are drawn as fast as ten seconds are, but for reading the frames.
    @Test func drawsTenHours() throws {
        let picture = try draw(seconds: 36_000, profile: MadeUpTrack.profile(seconds: 36_000))
        #expect(picture.width == 1600)
        let track = MadeUpTrack.track(
            analysis: MadeUpTrack.analysis(seconds: 36_000, profile: MadeUpTrack.profile(seconds: 36_000)))
        let frames = MadeUpTrack.frames(seconds: 36_000, band: 30, perSecond: 1)
        let text = TerminalReport(width: 100, style: TerminalReportTests.plain).render(track, frames: frames)
        #expect(text.contains("10:00:00.000") && text.contains("8:00:00"))
    }

    @Test func replacesAFileAndNamesOneItCannotWrite() throws {
        let directory = try TemporaryDirectory()
        let track = MadeUpTrack.track(analysis: nil)
        let path = try directory.write([1, 2, 3], as: "old.png")
        try TrackPicture.write(track: track, frames: nil, to: path)
        #expect(try directory.read("old.png").starts(with: [0x89, 0x50]))

        let missing = directory.file("no/such/folder.png")
        for (path, reason) in [
            (missing, "No such file or directory"), (directory.url.path, "Is a directory"),
        ] {
            let error = try #require(throws: TrackViewError.self) {
                try TrackPicture.write(track: track, frames: nil, to: path)
            }
            #expect(error.code == .fileUnwritable)
            #expect(error.description == "\(path): cannot be written: \(reason)")
        }
    }
}
