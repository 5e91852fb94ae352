import TestSupport

/// A shared library with all kinds of streams, for tests that only read.
enum ServedStreams {
    struct Kind: Sendable, CustomStringConvertible {
        let name: String
        let rate: Int
        let channels: Int
        let options: [String]

        var description: String { name }
    }

    static let kinds = [
        Kind(name: "cbr.mp3", rate: 44_100, channels: 2, options: ["-b", "128"]),
        Kind(name: "low.mp3", rate: 44_100, channels: 2, options: ["-b", "32"]),
        Kind(name: "vbr.mp3", rate: 48_000, channels: 2, options: ["-V", "2"]),
        Kind(name: "crc.mp3", rate: 44_100, channels: 2, options: ["-p", "-b", "192"]),
        Kind(name: "mono.mp3", rate: 32_000, channels: 1, options: ["-V", "5"]),
        Kind(name: "mpeg2.mp3", rate: 22_050, channels: 2, options: ["-b", "64"]),
        Kind(name: "mpeg2.5.mp3", rate: 8000, channels: 1, options: ["-b", "16"]),
        Kind(
            name: "tagged.mp3", rate: 44_100, channels: 2,
            options: ["-b", "128", "--add-id3v2", "--tt", "Title", "--ta", "Artist", "--tl", "Album"]),
    ]

    static let library = Task { try await aside { try make() } }

    private static func make() throws -> ServedLibrary {
        var files: [(name: String, bytes: [UInt8])] = []
        for (seed, kind) in kinds.enumerated() {
            let pcm = PCM.music(
                frameCount: 20 * kind.rate + 777, sampleRate: kind.rate, channelCount: kind.channels,
                seed: UInt64(seed + 1))
            let options = kind.options + ["--resample", "\(Double(kind.rate) / 1000)"]
            files.append((kind.name, try Encoders.lame(pcm, options)))
        }
        let plain = PCM.music(frameCount: 15 * 44_100, seed: 99)
        files.append(("free.mp3", try Encoders.lame(plain, ["--freeformat", "-b", "320"])))
        // Junk in the middle of a segment.
        var holed = try Encoders.lame(plain, ["-b", "128", "-t"])
        var random = SeededGenerator(seed: 5)
        holed.insert(
            contentsOf: (0..<4000).map { _ in UInt8.random(in: 0...0xFE, using: &random) },
            at: holed.count / 2)
        files.append(("holed.mp3", holed))
        return try ServedLibrary(files)
    }
}
