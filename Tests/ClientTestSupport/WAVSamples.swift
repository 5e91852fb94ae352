internal import Foundation
internal import TestSupport

/// The samples of a 32-bit floating-point WAV file.
package struct WAVSamples {
    package let sampleRate: Int
    package let channelCount: Int
    package let samples: [Float]

    package init(sampleRate: Int, channelCount: Int, samples: [Float]) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.samples = samples
    }

    package init(_ path: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        func little(_ offset: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        var position = 12
        var rate = 0
        var channels = 0
        var found: [Float]?
        while position + 8 <= bytes.count, found == nil {
            let name = String(decoding: bytes[position..<position + 4], as: UTF8.self)
            let size = min(little(position + 4, 4), bytes.count - position - 8)
            let start = position + 8
            if name == "fmt " {
                guard little(start, 2) == 3 else { throw CocoaError(.fileReadCorruptFile) }
                channels = little(start + 2, 2)
                rate = little(start + 4, 4)
            } else if name == "data" {
                found = (0..<size / 4).map { Float(bitPattern: UInt32(little(start + 4 * $0, 4))) }
            }
            position = start + size + size % 2
        }
        guard let found else { throw CocoaError(.fileReadCorruptFile) }
        samples = found
        sampleRate = rate
        channelCount = channels
    }

    /// Decodes an MP3 file with mpg123: gapless, in floating point.
    package static func mpg123(_ path: String) throws -> WAVSamples {
        let directory = try TemporaryDirectory()
        try ProcessRun.run("mpg123", ["-q", "-e", "f32", "-w", directory.file("out.wav"), path])
        return try WAVSamples(directory.file("out.wav"))
    }
}

extension WAVSamples {
    /// Returns the index of the first sample that differs from the expected ones, or at which one of the two ends early; nil
    /// if they are equal. The testing library takes very long to compare long arrays that differ.
    package static func firstDifference(_ made: some Collection<Float>, _ truth: some Collection<Float>)
        -> Int?
    {
        if let place = zip(made, truth).enumerated().first(where: { $0.element.0 != $0.element.1 }) {
            return place.offset
        }
        return made.count == truth.count ? nil : min(made.count, truth.count)
    }
}
