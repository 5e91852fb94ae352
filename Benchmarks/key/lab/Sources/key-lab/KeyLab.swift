@testable import Analyzer
@testable import MusicalStructure
import Foundation

/// Writes what the models of the key see, for training, from pieces/*.mp3.
///
///     key-lab CACHE           features/*.f32: twelve values per vector of the whole piece
///     key-lab CACHE curves    curves/*.u8: thirteen values per frame, the pitch classes and the bass; seconds.json
@main
struct KeyLab {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 2 || arguments.count == 3 && arguments[2] == "curves" else {
            print("usage: key-lab CACHE [curves]")
            exit(2)
        }
        if arguments.count == 3 { return try writeCurves(URL(fileURLWithPath: arguments[1])) }
        let cache = URL(fileURLWithPath: CommandLine.arguments[1])
        let pieces = cache.appendingPathComponent("pieces")
        let features = cache.appendingPathComponent("features")
        try FileManager.default.createDirectory(at: features, withIntermediateDirectories: true)
        for file in try FileManager.default.contentsOfDirectory(atPath: pieces.path).sorted()
        where file.hasSuffix(".mp3") {
            let samples = try decode(pieces.appendingPathComponent(file))
            // A second sample of each piece has neither its beginning nor its end, as music that is faded or cut.
            let middle = samples[samples.count / 6..<samples.count * 3 / 4]
            for (suffix, part) in ["": samples[...], "+cut": middle] {
                let detector = KeyDetector(sampleRate: 44_100)
                part.withUnsafeBufferPointer { part in
                    for start in stride(from: 0, to: part.count, by: 4096) {
                        detector.consume(
                            UnsafeBufferPointer(rebasing: part[start..<min(start + 4096, part.count)]))
                    }
                }
                try KeyModel.features(of: detector.evidence).withUnsafeBytes {
                    try Data($0).write(
                        to: features.appendingPathComponent(file.dropLast(4) + suffix + ".f32"))
                }
            }
        }
    }

    /// Writes the curve of pitch classes of each piece that has none yet.
    static func writeCurves(_ cache: URL) throws {
        let curves = cache.appendingPathComponent("curves")
        try FileManager.default.createDirectory(at: curves, withIntermediateDirectories: true)
        for file in try FileManager.default.contentsOfDirectory(
            atPath: cache.appendingPathComponent("pieces").path
        ).sorted() where file.hasSuffix(".mp3") {
            let target = curves.appendingPathComponent(file.dropLast(4) + ".u8")
            guard !FileManager.default.fileExists(atPath: target.path) else { continue }
            let samples = try decode(cache.appendingPathComponent("pieces/" + file))
            let detector = KeyDetector(sampleRate: 44_100)
            samples.withUnsafeBufferPointer { detector.consume($0) }
            try Data(detector.chroma.frames.flatMap { frame in (0...ChromaCurve.bassLane).map { frame[$0] } })
                .write(to: target)
        }
        var hour = KeyDetector(sampleRate: 44_100).chroma
        for _ in 0..<Int(3600 / hour.secondsPerFrame) {
            hour.append(
                KeyEvidence.Chroma((0..<16).map { $0 < 12 ? .random(in: 0...1) : 0 }),
                bass: .random(in: 0..<12))
        }
        let time = ContinuousClock().measure { _ = KeySectionModel.trained.sections(of: hour) }
        print("key sections of an hour: \(time)")
        let curve = KeyDetector(sampleRate: 44_100).chroma
        try Data("[\(curve.firstSeconds), \(curve.secondsPerFrame)]\n".utf8)
            .write(to: cache.appendingPathComponent("seconds.json"))
    }

    /// Returns the mono mix of an MP3, decoded gaplessly by mpg123 at 44.1 kHz.
    static func decode(_ file: URL) throws -> [Float] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["mpg123", "-q", "-m", "-r", "44100", "-e", "f32", "-s", file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
}
