import Foundation
import MPEGAudio
import TestSupport

/// Results of other tools for a file.
enum ReferenceTools {
    /// Returns offset and length of every packet that libavformat finds.
    static func packets(_ path: String) throws -> [FrameExtent] {
        let run = try ProcessRun.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "packet=size,pos", "-of", "csv=p=0", path])
        return run.text.split(whereSeparator: \.isNewline).compactMap { line in
            let fields = line.split(separator: ",").compactMap { Int($0) }
            return fields.count >= 2 ? FrameExtent(offset: fields[1], length: fields[0]) : nil
        }
    }

    /// Returns the number of samples per channel that mpg123 plays.
    static func mpg123SampleCount(_ path: String, gapless: Bool) throws -> Int {
        let directory = try TemporaryDirectory()
        let output = directory.file("out.wav")
        let mode = gapless ? "--gapless" : "--no-gapless"
        try ProcessRun.run("mpg123", ["-q", mode, "-w", output, path])
        return try sampleCount(wav: directory.read("out.wav"))
    }

    /// Returns the 16-bit samples that mpg123 plays, interleaved and untrimmed.
    static func mpg123Samples(_ path: String) throws -> [Int16] {
        let run = try ProcessRun.run("mpg123", ["-q", "--no-gapless", "-s", path])
        return run.output.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    private static func sampleCount(wav: [UInt8]) -> Int {
        // mpg123 writes a simple header: "fmt " at 12, "data" somewhere after it.
        let blockAlign = Int(wav[32]) | Int(wav[33]) << 8
        var position = 12
        while position + 8 <= wav.count {
            let size = (0..<4).reduce(0) { $0 | Int(wav[position + 4 + $1]) << ($1 * 8) }
            if wav[position..<position + 4].elementsEqual("data".utf8) {
                return min(size, wav.count - position - 8) / blockAlign
            }
            position += 8 + size
        }
        return 0
    }
}

extension MPEGAudioStream {
    static func scan(_ bytes: [UInt8]) throws(MPEGAudioError) -> MPEGAudioStream {
        try scan(bytes.span.bytes)
    }
}
