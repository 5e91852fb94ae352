/// A page of an Ogg file, for tests that take files apart and join them again (RFC 3533 §6).
public struct OggTestPage: Sendable {
    /// 1: continued, 2: first, 4: last.
    public var flags: UInt8
    /// Granule position.
    public var granule: Int64
    /// Number of the stream.
    public var serial: UInt32
    /// Number of the page.
    public var sequence: UInt32
    /// Sizes of the segments.
    public var segments: [UInt8]
    /// The body.
    public var body: [UInt8]

    /// Creates a page.
    public init(
        flags: UInt8, granule: Int64, serial: UInt32, sequence: UInt32, segments: [UInt8], body: [UInt8]
    ) {
        self.flags = flags
        self.granule = granule
        self.serial = serial
        self.sequence = sequence
        self.segments = segments
        self.body = body
    }

    /// Takes a sound file apart.
    public static func pages(of file: [UInt8]) -> [OggTestPage] {
        func number(_ start: Int, _ count: Int) -> UInt64 {
            (0..<count).reduce(0) { $0 | UInt64(file[start + $1]) << UInt64(8 * $1) }
        }
        var pages: [OggTestPage] = []
        var position = 0
        while position + 27 <= file.count {
            let bodyStart = position + 27 + Int(file[position + 26])
            let segments = Array(file[position + 27..<bodyStart])
            let end = bodyStart + segments.reduce(0) { $0 + Int($1) }
            pages.append(
                OggTestPage(
                    flags: file[position + 5], granule: Int64(bitPattern: number(position + 6, 8)),
                    serial: UInt32(number(position + 14, 4)), sequence: UInt32(number(position + 18, 4)),
                    segments: segments, body: Array(file[bodyStart..<end])))
            position = end
        }
        return pages
    }

    /// The bytes of the page with its checksum.
    public var bytes: [UInt8] {
        var bytes = Array("OggS".utf8) + [0, flags]
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: granule >> (8 * $0)) }
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: serial >> (8 * $0)) }
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: sequence >> (8 * $0)) }
        bytes += [0, 0, 0, 0, UInt8(segments.count)] + segments + body
        var crc: UInt32 = 0
        for byte in bytes {
            crc ^= UInt32(byte) << 24
            for _ in 0..<8 { crc = crc & 0x8000_0000 == 0 ? crc << 1 : crc << 1 ^ 0x04C1_1DB7 }
        }
        for place in 0..<4 { bytes[22 + place] = UInt8(truncatingIfNeeded: crc >> (8 * place)) }
        return bytes
    }

    /// Joins pages to a file.
    public static func file(_ pages: [OggTestPage]) -> [UInt8] { pages.flatMap(\.bytes) }

    /// Numbers pages from 0 and gives them a serial.
    public static func numbered(_ pages: [OggTestPage], serial: UInt32) -> [OggTestPage] {
        pages.enumerated().map { number, page in
            var page = page
            page.sequence = UInt32(number)
            page.serial = serial
            return page
        }
    }

    /// Returns the packets of a stream's pages.
    public static func packets(of pages: [OggTestPage]) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var packet: [UInt8] = []
        for page in pages {
            var rest = page.body[...]
            for size in page.segments {
                packet += rest.prefix(Int(size))
                rest = rest.dropFirst(Int(size))
                if size < 255 {
                    packets.append(packet)
                    packet = []
                }
            }
        }
        return packets
    }
}

extension IntegerSound {
    /// Encodes the sound with `opusenc`. Channels must be in Vorbis order.
    public func opus(_ options: [String] = []) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let input = try directory.write(bytes, as: "in.raw")
        let format = [
            "--quiet", "--raw", "--raw-bits", "\(bitDepth)", "--raw-rate", "\(sampleRate)", "--raw-chan",
            "\(channels.count)", "--raw-endianness", "0",
        ]
        try ProcessRun.run("opusenc", format + options + [input, directory.file("out.opus")])
        return try directory.read("out.opus")
    }

    /// Encodes the sound with `oggenc`. Channels must be in Vorbis order.
    public func vorbis(_ options: [String] = []) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let input = try directory.write(bytes, as: "in.raw")
        let format = [
            "-Q", "-r", "-B", "\(bitDepth)", "-R", "\(sampleRate)", "-C", "\(channels.count)",
        ]
        try ProcessRun.run("oggenc", format + options + ["-o", directory.file("out.ogg"), input])
        return try directory.read("out.ogg")
    }
}

/// The reference decoders, whose samples are interleaved in Vorbis order.
public enum OggReference {
    /// Decodes with `opusdec` at 48 kHz.
    public static func opus(_ file: [UInt8]) throws -> [Float] {
        let directory = try TemporaryDirectory()
        let input = try directory.write(file, as: "in.opus")
        try ProcessRun.run(
            "opusdec", ["--quiet", "--float", "--rate", "48000", input, directory.file("out.raw")])
        return try directory.read("out.raw").withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// Returns what `opusinfo` or `ogginfo` complains about: gaps, checksums, positions and comments; pictures may be made up.
    public static func complaints(about path: String) throws -> [String] {
        let tool = path.hasSuffix(".opus") ? "opusinfo" : "ogginfo"
        let run = try ProcessRun.run(tool, [path], mustSucceed: false)
        let lines = (run.text + String(decoding: run.errors, as: UTF8.self)).split(separator: "\n")
        return lines.map(String.init).filter { line in
            let text = line.lowercased()
            return (text.contains("warning") || text.contains("error"))
                && !text.contains("image") && !text.contains("picture")
        }
    }

    /// Decodes with `oggdec` to 16 bits.
    public static func vorbis(_ file: [UInt8]) throws -> [Int16] {
        let directory = try TemporaryDirectory()
        let input = try directory.write(file, as: "in.ogg")
        try ProcessRun.run("oggdec", ["-Q", "-R", "-b", "16", "-o", directory.file("out.raw"), input])
        return try directory.read("out.raw").withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }
}
