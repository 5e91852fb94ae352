import Foundation
import TestSupport

/// Files with known audio for a library.
enum PlaybackSounds {
    /// How files are encoded.
    enum Coding: Sendable {
        /// MP3, with options of the encoder.
        case mp3([String])
        case flac
        /// One FLAC file with a cue sheet.
        case sheet
        /// AAC without perceptual noise substitution, whose noise depends on all frames decoded before.
        case aac
        case opus
    }

    /// A sine split into two files in a folder.
    struct Cut: Sendable {
        let folder: String
        let rate: Int
        let channels: Int
        let coding: Coding

        /// An odd position, in the middle of a wave, of a frame, and of a granule. In a cue sheet, positions are whole sectors.
        var cutFrame: Int {
            if case .sheet = coding { 588 * 451 } else { 6 * rate + 137 }
        }
        var frameCount: Int { rate * 25 / 2 }

        /// The largest differences of phase (radians) and from a sine, which are the encoder's, and from the reference decoder.
        var tolerances: (phase: Double, rest: Double, error: Double) {
            switch coding {
            case .mp3, .flac, .sheet: (1e-4, 5e-4, 2e-5)
            case .aac: (1e-3, 5e-3, 2e-5)
            case .opus: (1e-3, 5e-3, 2e-5)
            }
        }
    }

    static let cuts = [
        Cut(folder: "cut44", rate: 44_100, channels: 2, coding: .mp3(["-b", "128"])),
        Cut(folder: "cut48", rate: 48_000, channels: 2, coding: .mp3(["-V", "2"])),
        Cut(folder: "cut22", rate: 22_050, channels: 1, coding: .mp3(["-b", "64"])),
        Cut(folder: "cut32", rate: 32_000, channels: 2, coding: .mp3(["-b", "96"])),
        Cut(folder: "lossless44", rate: 44_100, channels: 2, coding: .flac),
        Cut(folder: "lossless96", rate: 96_000, channels: 1, coding: .flac),
        Cut(folder: "sheet44", rate: 44_100, channels: 2, coding: .sheet),
        Cut(folder: "aac44", rate: 44_100, channels: 2, coding: .aac),
        Cut(folder: "opus48", rate: 48_000, channels: 2, coding: .opus),
    ]

    /// Six channels with different tones.
    static let surround = IntegerSound.tones(
        frameCount: 48_000 * 8, sampleRate: 48_000, channelCount: 6, bitDepth: 24)

    static let sineHertz = 441.7

    private static func file(_ name: String, _ pcm: PCM) throws -> (name: String, bytes: [UInt8]) {
        let title = name.prefix(1).uppercased() + name.dropFirst()
        return ("\(name).mp3", try Encoders.lame(pcm, ["-b", "128", "--tt", title]))
    }

    private static func track(_ number: Int, of count: Int, on album: String, _ pcm: PCM) throws
        -> (name: String, bytes: [UInt8])
    {
        let tags = ["--tt", "Part \(number)", "--ta", "Sine", "--tl", album, "--tn", "\(number)/\(count)"]
        return ("\(album)/\(number).mp3", try Encoders.lame(pcm, ["-b", "128"] + tags))
    }

    /// Tracks of five minutes, one minute, and three short ones.
    static func tracks() throws -> [(name: String, bytes: [UInt8])] {
        // Half a minute of music, repeated.
        let music = PCM.music(frameCount: 30 * 44_100, seed: 3).samples
        func long(_ times: Int) -> PCM {
            var samples: [Int16] = []
            samples.reserveCapacity(times * music.count)
            for _ in 0..<times { samples += music }
            return PCM(sampleRate: 44_100, channelCount: 2, samples: samples)
        }
        return [
            try file("long", long(10)), try file("other", long(2)),
            try file("short", PCM.music(frameCount: 4 * 44_100, seed: 5)),
            try file("next", PCM.music(frameCount: 14 * 44_100, seed: 6)),
            try file("last", PCM.music(frameCount: 4 * 44_100, seed: 7)),
        ]
    }

    /// Tones, silence, and a sine split into two files.
    static func tones() throws -> [(name: String, bytes: [UInt8])] {
        var files: [(name: String, bytes: [UInt8])] = []
        for cut in cuts { files += try parts(of: cut) }
        func add(_ name: String, _ pcm: PCM) throws { files.append(try file(name, pcm)) }
        try add("toneA", sine(600, frames: 0..<441_000))
        try add("toneB", sine(1000, frames: 0..<441_000))
        files.append(
            ("toneC.flac", try integers(sine(600, frames: 0..<441_000)).flac(["-T", "TITLE=ToneC"])))
        let high = sine(1000, frames: 0..<960_000, rate: 96_000)
        files.append(("toneD.flac", try integers(high).flac(["-T", "TITLE=ToneD"])))
        files += try HEAACFile.allCases.map { ($0.rawValue, try $0.bytes) }
        files.append(("surround.flac", try surround.flac(["-T", "TITLE=Surround"])))
        try add("loud", sine(1000, frames: 0..<441_000, amplitude: 0.8))
        try add("quiet", sine(1000, frames: 0..<441_000, amplitude: 0.02))
        // An album with two movements, the second 3.1 dB softer: 20 lg (0.5 / 0.35).
        let movements = cuts[0]
        for (number, frames, amplitude) in [
            (1, 0..<movements.cutFrame, 0.5), (2, movements.cutFrame..<movements.frameCount, 0.35),
        ] {
            let pcm = sine(sineHertz, frames: frames, amplitude: amplitude)
            files.append(try track(number, of: 2, on: "movements", pcm))
        }
        // An album whose first track ends with two seconds of silence, of five in total.
        let ending = sine(600, frames: 0..<220_500) { $0 < 132_300 ? 1 : 0 }
        files.append(try track(1, of: 2, on: "suite", ending))
        files.append(try track(2, of: 2, on: "suite", sine(1000, frames: 0..<220_500)))
        try add(
            "silent",
            sine(600, frames: 0..<441_000) { (88_200..<308_700).contains($0) ? 1 : 0 })
        let end = 24 * 44_100
        try add(
            "fading",
            sine(600, frames: 0..<end) { min(1, Double(end - $0) / (8 * 44_100)) })
        try add("answer", sine(1000, frames: 0..<end))
        return files
    }

    /// Returns both files of a split sine.
    static func parts(of cut: Cut) throws -> [(name: String, bytes: [UInt8])] {
        if case .sheet = cut.coding { return try sheet(of: cut) }
        return try [(1, 0..<cut.cutFrame), (2, cut.cutFrame..<cut.frameCount)].map { number, frames in
            let pcm = sine(sineHertz, frames: frames, rate: cut.rate, channels: cut.channels)
            let path = "\(cut.folder)/\(number)"
            let title = "Part \(number)"
            switch cut.coding {
            case .mp3(let options):
                let tags = ["--tt", title, "--ta", "Sine", "--tl", cut.folder, "--tn", "\(number)/2"]
                let resample = ["--resample", "\(Double(cut.rate) / 1000)"]
                return ("\(path).mp3", try Encoders.lame(pcm, options + resample + tags))
            case .flac:
                let tags = [
                    "TITLE=\(title)", "ARTIST=Sine", "ALBUM=\(cut.folder)", "TRACKNUMBER=\(number)",
                    "TRACKTOTAL=2",
                ].flatMap { ["-T", $0] }
                return ("\(path).flac", try integers(pcm).flac(tags))
            case .aac:
                let tags = ["title=\(title)", "artist=Sine", "album=\(cut.folder)", "track=\(number)/2"]
                return (
                    "\(path).m4a",
                    try integers(pcm).mp4(
                        ["-c:a", "aac", "-b:a", "192k", "-aac_pns", "0"] + tags.flatMap { ["-metadata", $0] })
                )
            case .opus:
                let tags = ["--title", title, "--artist", "Sine", "--album", cut.folder]
                return ("\(path).opus", try integers(pcm).opus(["--bitrate", "192"] + tags))
            case .sheet: preconditionFailure("both are in one file")
            }
        }
    }

    /// Returns a sine in one file, and the sheet that splits it.
    private static func sheet(of cut: Cut) throws -> [(name: String, bytes: [UInt8])] {
        let whole = sine(sineHertz, frames: 0..<cut.frameCount, rate: cut.rate, channels: cut.channels)
        let sheet = """
            PERFORMER "Sine"
            TITLE "\(cut.folder)"
            FILE "Album.flac" WAVE
            TRACK 01 AUDIO
            INDEX 01 00:00:00
            TRACK 02 AUDIO
            INDEX 01 00:06:01
            """
        return [
            ("\(cut.folder)/Album.flac", try integers(whole).flac()),
            ("\(cut.folder)/Album.cue", Array(sheet.utf8)),
        ]
    }

    private static func integers(_ pcm: PCM) -> IntegerSound {
        IntegerSound(
            sampleRate: pcm.sampleRate,
            channels: (0..<pcm.channelCount).map { channel in
                stride(from: channel, to: pcm.samples.count, by: pcm.channelCount).map {
                    Int32(pcm.samples[$0])
                }
            }, bitDepth: 16)
    }

    /// Decodes both files of a split sine, and returns the first channel's samples of both in sequence: with mpg123, ffmpeg (AAC) or
    /// opusdec; for FLAC the samples that were encoded.
    static func reference(of cut: Cut) async throws -> [Float] {
        switch cut.coding {
        case .flac, .sheet:
            return integers(sine(sineHertz, frames: 0..<cut.frameCount, rate: cut.rate)).channels[0].map {
                Float($0) / 32_768
            }
        case .mp3, .aac, .opus: break
        }
        var samples: [Float] = []
        for (part, count) in zip(try parts(of: cut), [cut.cutFrame, cut.frameCount - cut.cutFrame]) {
            let directory = try TemporaryDirectory()
            let file = try directory.write(part.bytes, as: "part")
            let run =
                switch cut.coding {
                case .aac, .flac, .sheet:
                    // Leaves the padding at the end.
                    try await ProcessRun.aside("ffmpeg", ["-v", "error", "-i", file, "-f", "f32le", "-"])
                case .mp3: try await ProcessRun.aside("mpg123", ["-q", "-e", "f32", "-s", file])
                case .opus:
                    try await ProcessRun.aside(
                        "opusdec", ["--quiet", "--float", "--rate", "48000", file, "-"])
                }
            let decoded = stride(from: 0, to: run.output.count, by: 4 * cut.channels).map { offset in
                run.output.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Float.self) }
            }
            samples += decoded.prefix(count)
        }
        return samples
    }

    private static func sine(
        _ hertz: Double, frames: Range<Int>, rate: Int = 44_100, channels: Int = 2, amplitude: Double = 0.5,
        shape: (Int) -> Double = { _ in 1 }
    ) -> PCM {
        var samples: [Int16] = []
        samples.reserveCapacity(frames.count * channels)
        for frame in frames {
            let value = sin(2 * .pi * hertz * Double(frame) / Double(rate)) * amplitude * shape(frame)
            let sample = Int16((value * 32_767).rounded())
            for _ in 0..<channels { samples.append(sample) }
        }
        return PCM(sampleRate: rate, channelCount: channels, samples: samples)
    }
}
