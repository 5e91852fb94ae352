import CoverImage
import Foundation
import TestSupport
import Testing

/// Pictures made with ffmpeg, scaled by `CoverScaler`, checked with ffprobe and ffmpeg.
@Suite("Cover scaler", .timeLimit(.minutes(30)))
struct CoverScalerTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Creates a test picture of the given size, in the format of the name's extension.
    private func picture(_ name: String, _ size: String, _ options: [String] = []) throws -> [UInt8] {
        try ProcessRun.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=\(size):rate=1", "-frames:v", "1"]
                + options + [directory.file(name)])
        return try directory.read(name)
    }

    /// Codec, width, height and pixel format according to ffprobe.
    private func look(_ bytes: [UInt8]) throws -> [String] {
        let path = try directory.write(bytes, as: UUID().uuidString)
        return try ProcessRun.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "stream=codec_name,width,height,pix_fmt", "-of",
                "csv=p=0", path,
            ]
        ).text.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ",").map(String.init)
    }

    /// Mean colour of a part of a picture as decoded by ffmpeg: red, green, blue.
    private func colour(_ bytes: [UInt8], crop: String) throws -> [UInt8] {
        let path = try directory.write(bytes, as: UUID().uuidString)
        return [UInt8](
            try ProcessRun.run(
                "ffmpeg",
                [
                    "-v", "error", "-noautorotate", "-i", path, "-vf", "crop=\(crop),scale=1:1:flags=area",
                    "-pix_fmt", "rgb24", "-f", "rawvideo", "-",
                ]
            ).output)
    }

    private func scaled(_ bytes: [UInt8], _ side: Int) throws -> [UInt8] {
        guard case .scaled(let result, _) = try CoverScaler().scale(bytes, longestSide: side) else {
            throw CoverImageError(.encodingFailed, "was not scaled")
        }
        return result
    }

    @Test(
        "The longer side gets the requested size, and the aspect ratio is kept",
        arguments: ["jpg", "png", "gif", "bmp"],
        [("640x480", 256, [256, 192]), ("300x1200", 128, [32, 128]), ("2000x3", 64, [64, 1])])
    func dimensions(suffix: String, sizes: (String, Int, [Int])) throws {
        let (size, side, expected) = sizes
        let result = try scaled(try picture("in.\(suffix)", size), side)
        let seen = try look(result)
        #expect(seen.first == "mjpeg" && seen[1...2].compactMap { Int($0) } == expected)
    }

    @Test("Pictures are never enlarged", arguments: [256, 320, 1600])
    func neverUp(side: Int) throws {
        let small = try picture("small.png", "256x100")
        #expect(try CoverScaler().scale(small, longestSide: side) == .original)
    }

    @Test("Colours and positions are kept")
    func colours() throws {
        try ProcessRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=red:size=400x400", "-f", "lavfi", "-i",
                "color=blue:size=400x400", "-filter_complex", "hstack", "-frames:v", "1",
                directory.file("halves.png"),
            ])
        let result = try scaled(try directory.read("halves.png"), 200)
        let left = try colour(result, crop: "40:40:10:10")
        let right = try colour(result, crop: "40:40:150:10")
        #expect(left[0] > 240 && left[2] < 20 && right[0] < 20 && right[2] > 240)
    }

    /// Adds an EXIF segment with only the orientation (EXIF 2.3, 4.6.4: tag 0x0112).
    private func turned(_ jpeg: [UInt8], orientation: UInt8) -> [UInt8] {
        let tiff: [UInt8] =
            Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
            + [0, 0, 0, 0]
        let content = Array("Exif\0\0".utf8) + tiff
        let length = content.count + 2
        return jpeg.prefix(2) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + content
            + jpeg.dropFirst(2)
    }

    /// The corner in which the top left corner of the stored picture is displayed (EXIF 2.3, table of
    /// orientations).
    @Test(
        "The EXIF orientation is applied",
        arguments: [
            (UInt8(1), [200, 100], "left top"), (3, [200, 100], "right bottom"),
            (6, [100, 200], "right top"),
            (8, [100, 200], "left bottom"),
        ])
    func orientation(tag: UInt8, size: [Int], corner: String) throws {
        // Black, with a white top left quarter.
        try ProcessRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=black:size=800x400", "-vf",
                "drawbox=x=0:y=0:w=400:h=200:color=white:t=fill", "-frames:v", "1",
                directory.file("corner.jpg"),
            ])
        let result = try scaled(turned(try directory.read("corner.jpg"), orientation: tag), 200)
        #expect(try look(result)[1...2].compactMap { Int($0) } == size)
        for place in ["left top", "right top", "left bottom", "right bottom"] {
            let x = place.hasPrefix("left") ? 10 : size[0] - 40
            let y = place.hasSuffix("top") ? 10 : size[1] - 40
            let level = try colour(result, crop: "30:30:\(x):\(y)")[0]
            #expect((level > 200) == (place == corner), "\(place)")
        }
    }

    @Test("Transparent pictures become PNGs, and opaque ones JPEGs")
    func transparency() throws {
        let opaque = try picture("opaque.png", "600x600", ["-pix_fmt", "rgba"])
        #expect(try look(try scaled(opaque, 128)).first == "mjpeg")
        let clear = try picture(
            "clear.png", "600x600", ["-vf", "format=rgba,colorchannelmixer=aa=0.5", "-pix_fmt", "rgba"])
        let result = try look(try scaled(clear, 128))
        #expect(result == ["png", "128", "128", "rgba"])
    }

    @Test("The first frame of an animation is used")
    func animation() throws {
        try ProcessRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=red:size=400x400:rate=1:duration=1", "-f", "lavfi",
                "-i", "color=blue:size=400x400:rate=1:duration=5", "-filter_complex", "concat",
                directory.file("animated.gif"),
            ])
        let result = try colour(
            try scaled(try directory.read("animated.gif"), 64), crop: "64:64:0:0")
        #expect(result[0] > 230 && result[2] < 30)
    }

    @Test("Pictures with too many pixels are rejected before decoding", arguments: ["jpg", "png", "gif"])
    func tooManyPixels(suffix: String) throws {
        var scaler = CoverScaler()
        scaler.pixelLimit = 640 * 480 - 1
        let bytes = try picture("in.\(suffix)", "640x480")
        let error = #expect(throws: CoverImageError.self) { try scaler.scale(bytes, longestSide: 64) }
        #expect(error?.code == .tooLarge)
        scaler.pixelLimit += 1
        guard case .scaled = try scaler.scale(bytes, longestSide: 64) else {
            Issue.record("640 × 480 pixels are within the limit")
            return
        }
    }

    @Test("A picture of 64 million pixels is rejected without using much memory")
    func bomb() throws {
        let bytes = try picture("bomb.png", "8000x8000", ["-vf", "format=gray"])
        let before = peakKibibytes
        let error = #expect(throws: CoverImageError.self) { try CoverScaler().scale(bytes, longestSide: 64) }
        #expect(error?.code == .tooLarge)
        #expect(peakKibibytes - before < 50_000)
    }

    /// Peak memory of the process in KiB.
    private var peakKibibytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    @Test("Truncated pictures and other files are rejected", arguments: ["jpg", "png"])
    func damaged(suffix: String) throws {
        let bytes = try picture("in.\(suffix)", "640x480")
        for end in [bytes.count / 2, bytes.count - 20, 12] {
            let error = #expect(throws: CoverImageError.self) {
                try CoverScaler().scale(Array(bytes.prefix(end)), longestSide: 64)
            }
            #expect(error?.code == .corrupt)
        }
        for junk in [
            [], Array("<html>".utf8), [UInt8](repeating: 0, count: 5000), Array("BMW is no bitmap".utf8),
        ] {
            let error = #expect(throws: CoverImageError.self) {
                try CoverScaler().scale(junk, longestSide: 64)
            }
            #expect(error?.code == .notAPicture)
        }
    }

    @Test("Random changes of bytes lead to a picture or an error", arguments: ["jpg", "png", "gif", "bmp"])
    func mutations(suffix: String) throws {
        let bytes = try picture("in.\(suffix)", "200x150")
        var random = SeededGenerator(seed: 3)
        for _ in 0..<80 {
            var mutated = bytes
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                // The headers are at the start, where most errors can occur.
                let end = Bool.random(using: &random) ? min(200, bytes.count) : bytes.count
                mutated[Int.random(in: 0..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do {
                _ = try CoverScaler().scale(mutated, longestSide: 64)
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
    }

    @Test("The format is detected from the bytes")
    func formats() throws {
        #expect(PictureFormat(try picture("a.jpg", "16x16")) == .jpeg)
        #expect(PictureFormat(try picture("a.png", "16x16")) == .png)
        #expect(PictureFormat(try picture("a.gif", "16x16")) == .gif)
        #expect(PictureFormat(try picture("a.bmp", "16x16")) == .bmp)
        #expect(PictureFormat(try picture("a.webp", "16x16")) == .webp)
        #expect(PictureFormat(Array("%PDF-1.7".utf8)) == nil)
        #expect(PictureFormat.jpeg.mediaType == "image/jpeg")
    }
}
