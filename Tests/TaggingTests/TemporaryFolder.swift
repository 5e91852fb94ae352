import Foundation
import TestSupport
import Testing

/// A folder of a test's own, deleted when the last reference goes away.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "tagging-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file without waiting for the disk, which Foundation does: thousands are written.
    func write(_ bytes: [UInt8], to name: String = "file.mp3") throws -> String {
        let stream = try #require(fopen(file(name), "wb"))
        defer { fclose(stream) }
        try #require(fwrite(bytes, 1, bytes.count, stream) == bytes.count)
        return file(name)
    }

    /// One second of a tone as an MP3 file, with lame's tag options.
    func lame(_ arguments: [String]) throws -> String {
        let wave = file("tone.wav")
        if !FileManager.default.fileExists(atPath: wave) {
            try ProcessRun.run(
                "sox", ["-n", "-r", "44100", "-b", "16", wave, "synth", "1", "sine", "440", "gain", "-12"])
        }
        try ProcessRun.run("lame", ["--quiet", "-b", "64"] + arguments + [wave, file("lame.mp3")])
        return file("lame.mp3")
    }
}
