import Foundation
import PCMAudio
import TestSupport

/// Files made by ffmpeg, and their samples.
enum PCMFile {
    /// Makes a file of tones.
    /// - Parameters:
    ///   - options: of the encoder.
    ///   - ending: of the file's name, which chooses the container.
    static func make(
        _ options: [String], _ ending: String, sampleRate: Int = 8_000, channels: Int = 2,
        frameCount: Int = 1_000
    ) throws -> [UInt8] {
        let sound = IntegerSound.tones(
            frameCount: frameCount, sampleRate: sampleRate, channelCount: channels, bitDepth: 32)
        let directory = try TemporaryDirectory()
        let input = try directory.write(sound.bytes, as: "in.raw")
        let output = directory.file("out.\(ending)")
        try ProcessRun.run(
            "ffmpeg",
            ["-v", "error", "-f", "s32le", "-ar", "\(sampleRate)", "-ac", "\(channels)", "-i", input]
                + options + [output])
        return try directory.read("out.\(ending)")
    }

    /// Returns the samples of each channel as read here.
    static func samples(_ bytes: [UInt8], _ stream: PCMAudioStream, frameCount: Int) -> [[Float]] {
        let format = stream.format
        let channels = (0..<format.channelCount).map { _ in
            UnsafeMutableBufferPointer<Float>.allocate(capacity: frameCount)
        }
        defer { for channel in channels { channel.deallocate() } }
        let end = stream.payload.lowerBound + frameCount * format.frameSize
        SampleReader(format.coding, channelCount: format.channelCount).read(
            bytes.span.bytes.extracting(stream.payload.lowerBound..<end), into: channels)
        return channels.map { Array($0) }
    }

    /// Returns the interleaved samples of a file as decoded by ffmpeg.
    static func decoded(_ bytes: [UInt8], _ ending: String) throws -> [Float] {
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, as: "in.\(ending)")
        let run = try ProcessRun.run("ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-"])
        return run.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
}
