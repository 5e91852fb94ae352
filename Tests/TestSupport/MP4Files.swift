import Foundation

/// MP4 files made and described by ffmpeg.
extension IntegerSound {
    /// Encodes the sound with `ffmpeg` to MP4; 24 bits and more are passed on as 24 bits.
    /// - Parameter options: output options: `["-c:a", "alac"]`.
    public func mp4(_ options: [String], layout: String? = nil) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let input = try directory.write(bytes, as: "in.raw")
        let names = [
            1: "mono", 2: "stereo", 3: "3.0", 4: "4.0", 5: "5.0", 6: "5.1", 7: "6.1(back)", 8: "7.1(wide)",
        ]
        let format = [
            "-f", bitDepth == 8 ? "u8" : "s\(bitDepth)le", "-ar", "\(sampleRate)", "-ac", "\(channels.count)",
            "-channel_layout", layout ?? names[channels.count] ?? "stereo",
        ]
        try ProcessRun.run(
            "ffmpeg",
            ["-v", "error", "-bitexact"] + format + ["-i", input] + options + [directory.file("out.mp4")])
        return try directory.read("out.mp4")
    }
}

/// HE-AAC files of 13 seconds, made with fdkaac, which is not free: a sweep and noise on the left, another sweep on the right.
public enum HEAACFile: String, Sendable, CaseIterable {
    /// Stereo at 32 kbit/s; the comment `iTunSMPB` states the delay.
    case plain = "he-aac.m4a"
    /// HE-AAC v2, whose core is mono, at 24 kbit/s; an edit list states the delay.
    case parametricStereo = "he-aac-v2.m4a"

    /// Samples of the sound that was encoded, at 44,100 Hz.
    public static let frameCount = 13 * 44_100

    /// Samples before the sound by what the file states, which counts at the rate of the core, 22,050 Hz.
    public var delay: Int { 2 * (self == .plain ? 2048 : 3072) }

    /// Whether each 2048 frames of two interleaved stereo sounds have the same level within 0.5 dB, above −60 dBFS. The noise and the
    /// phases that band replication adds depend on all units before, but not their level.
    public static func isAlike(_ sound: [Float], _ other: [Float]) -> Bool {
        sound.count == other.count && isAlike(powers: powers(sound), powers(other))
    }

    /// The same for two sounds whose ``powers(_:)`` are known.
    public static func isAlike(powers: [Float], _ others: [Float]) -> Bool {
        let level = { (power: Float) in 10 * log10(power + 1e-6) }
        return powers.count == others.count
            && zip(powers, others).allSatisfy { abs(level($0) - level($1)) < 0.5 }
    }

    /// The mean square of each 2048 frames of an interleaved stereo sound.
    public static func powers(_ samples: [Float]) -> [Float] {
        stride(from: 0, through: samples.count - 4096, by: 4096).map { start in
            samples[start..<start + 4096].reduce(0) { $0 + $1 * $1 } / 4096
        }
    }

    /// Returns the sound as ffmpeg decodes it: interleaved stereo at 44,100 Hz, without delay and padding.
    public func decoded() async throws -> [Float] {
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, as: rawValue)
        let run = try await ProcessRun.aside(
            "ffmpeg", ["-v", "error", "-flags2", "+skip_manual", "-i", path, "-f", "f32le", "-"])
        let decoded = run.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        return Array(decoded.dropFirst(2 * delay).prefix(2 * Self.frameCount))
    }

    /// The bytes of the file.
    public var bytes: [UInt8] {
        get throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent()
            return [UInt8](try Data(contentsOf: folder.appending(path: "Files/\(rawValue)")))
        }
    }
}

/// A packet of an MP4 file as ffprobe lists it.
public struct ListedPacket: Sendable, Equatable {
    /// Position in the file.
    public let position: Int
    /// Size in bytes.
    public let size: Int

    /// Memberwise initializer.
    public init(position: Int, size: Int) {
        self.position = position
        self.size = size
    }

    /// Lists the packets of a file's first track with audio, also those that its edit list does not play.
    public static func list(_ bytes: [UInt8]) throws -> [ListedPacket] {
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, as: "in.mp4")
        let run = try ProcessRun.run(
            "ffprobe",
            [
                "-v", "error", "-ignore_editlist", "1", "-select_streams", "a:0", "-show_entries",
                "packet=pos,size",
                "-of", "csv=p=0", path,
            ])
        return String(decoding: run.output, as: UTF8.self).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ",").compactMap { Int($0) }
            return fields.count >= 2 ? ListedPacket(position: fields[1], size: fields[0]) : nil
        }
    }
}

/// Builds boxes of MP4 files.
public enum MP4Boxes {
    /// Returns a big-endian number.
    public static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    /// Returns a box.
    public static func box(_ type: String, _ contents: [UInt8]...) -> [UInt8] {
        let all = contents.flatMap { $0 }
        return number(8 + all.count, 4) + Array(type.utf8) + all
    }

    /// Returns a box with a version and flags.
    public static func full(_ type: String, version: Int = 0, _ contents: [UInt8]...) -> [UInt8] {
        box(type, [UInt8(truncatingIfNeeded: version), 0, 0, 0], contents.flatMap { $0 })
    }

    /// A file with one track, whose tables are given.
    public struct File {
        /// The sample entry.
        public var entry: [UInt8]
        /// The tables of `stbl` after `stsd`.
        public var tables: [UInt8]
        /// The boxes of `trak` before `mdia`, such as `edts`.
        public var trackBoxes: [UInt8] = []
        /// The boxes of `moov` after `trak`, such as `udta`.
        public var movieBoxes: [UInt8] = []
        /// Units of the movie's time per second.
        public var movieScale = 1000
        /// Units of the media's time per second.
        public var mediaScale = 44_100
        /// The contents of `mdat`, which starts at byte 24.
        public var data: [UInt8]

        /// Creates a file.
        public init(entry: [UInt8], tables: [UInt8], data: [UInt8]) {
            self.entry = entry
            self.tables = tables
            self.data = data
        }

        /// The file's bytes.
        public var bytes: [UInt8] {
            let mdhd = full("mdhd", number(0, 8), number(mediaScale, 4), number(0, 8))
            let hdlr = full("hdlr", number(0, 4), Array("soun".utf8), number(0, 13))
            let stsd = full("stsd", number(1, 4), entry)
            let media = box("mdia", mdhd, hdlr, box("minf", box("stbl", stsd, tables)))
            let tkhd = full("tkhd", number(0, 8), number(1, 4), number(0, 68))
            let mvhd = full("mvhd", number(0, 8), number(movieScale, 4), number(0, 84))
            return box("ftyp", Array("M4A ".utf8), number(0, 4)) + box("mdat", data)
                + box("moov", mvhd, box("trak", tkhd, trackBoxes, media), movieBoxes)
        }
    }

    /// Returns the sample entry of AAC with a configuration.
    public static func aac(_ configuration: [UInt8], objectType: Int = 0x40) -> [UInt8] {
        let specific = [0x05, UInt8(configuration.count)] + configuration
        let decoder =
            [0x04, UInt8(13 + specific.count)] + number(objectType, 1) + [0x15] + number(0, 11) + specific
        let descriptor = [0x03, UInt8(3 + decoder.count)] + number(0, 3) + decoder
        return box(
            "mp4a", number(0, 6), number(1, 2), number(0, 8), number(2, 2), number(16, 2), number(0, 8),
            full("esds", descriptor))
    }
}
