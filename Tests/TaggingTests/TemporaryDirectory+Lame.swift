import Foundation
import TestSupport

extension TemporaryDirectory {
    /// Encodes one second of a tone as an MP3 file, with lame's tag options.
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
