@testable import Analyzer
import Foundation

/// Writes the features that the key model sees, for training: pieces/*.mp3 → features/*.f32, twelve values per vector.
///
///     key-lab CACHE
@main
struct KeyLab {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: key-lab CACHE")
            exit(2)
        }
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
