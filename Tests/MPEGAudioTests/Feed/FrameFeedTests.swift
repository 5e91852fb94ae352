import MPEGAudio
import TestSupport
import Testing

/// Frames found in bytes that arrive in pieces, compared with a scan of the whole file.
@Suite("Frame feed")
struct FrameFeedTests {
    private struct Found: Equatable {
        var ranges: [Range<Int>] = []
        var information: XingInfoTag?
        var tags = 0
        var isTruncated = false
        var skipped = 0
    }

    private static func feed(_ bytes: [UInt8], pieces size: Int) -> Found {
        var feed = FrameFeed()
        var found = Found()
        func take() {
            while let unit = feed.next() {
                switch unit {
                case .frame(let frame):
                    #expect(frame.bytes.elementsEqual(bytes[frame.offset..<frame.offset + frame.bytes.count]))
                    found.ranges.append(frame.offset..<frame.offset + frame.bytes.count)
                case .information(let tag): if found.information == nil { found.information = tag }
                case .id3: found.tags += 1
                }
            }
        }
        for start in stride(from: 0, to: bytes.count, by: size) {
            feed.append(bytes[start..<min(start + size, bytes.count)])
            take()
        }
        feed.finish()
        take()
        found.isTruncated = feed.isTruncated
        found.skipped = feed.skippedBytes
        return found
    }

    private static func expectSame(_ bytes: [UInt8], pieces size: Int) throws {
        let stream = try MPEGAudioStream.scan(bytes.span.bytes)
        let found = feed(bytes, pieces: size)
        #expect(found.ranges == stream.index.map(\.range))
        #expect(found.information == stream.infoTag)
        #expect(found.isTruncated == stream.diagnostics.truncatedLastFrame)
    }

    @Test(
        "The frames match a scan's, however the bytes are split",
        arguments: [
            ["-b", "128"], ["-V", "2"], ["--abr", "100"], ["-p", "-b", "192"], ["-t", "-b", "64"],
            ["-b", "32", "--resample", "16", "-m", "m"], ["-b", "8", "--resample", "8", "-m", "m"],
        ], [1, 100, 1 << 16])
    func sameAsScan(_ options: [String], _ size: Int) throws {
        let file = try Encoders.lame(PCM.music(frameCount: 60_000), options)
        try Self.expectSame(file, pieces: size)
        let tagged = try Encoders.lame(
            PCM.music(frameCount: 60_000), options + ["--add-id3v2", "--pad-id3v2", "--tt", "Title"])
        try Self.expectSame(tagged, pieces: size)
        try Self.expectSame(Array(file.dropLast(37)), pieces: size)
        // A file joined to another.
        try Self.expectSame(file + tagged, pieces: size)
    }

    @Test("Junk before, between and after frames is skipped", arguments: [13, 4096])
    func junk(_ size: Int) throws {
        var random = SeededGenerator(seed: 8)
        let file = try Encoders.lame(PCM.music(frameCount: 60_000), ["-t", "-b", "128"])
        func junk(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        for bytes in [junk(5000) + file, file + junk(3000), file + junk(2000) + file] {
            let scan = try MPEGAudioStream.scan(bytes.span.bytes)
            let found = Self.feed(bytes, pieces: size)
            #expect(found.ranges == scan.index.map(\.range))
            #expect(found.skipped == scan.diagnostics.skippedBytes)
        }
    }

    @Test("A stream joined in the middle starts at the next frame")
    func middle() throws {
        let file = try Encoders.lame(PCM.music(frameCount: 60_000), ["-t", "-b", "128"])
        let whole = Self.feed(file, pieces: 1 << 16).ranges
        let start = whole[10].lowerBound + 7
        let found = Self.feed(Array(file[start...]), pieces: 512).ranges
        #expect(found.map { $0.lowerBound + start..<$0.upperBound + start } == Array(whole[11...]))
    }

    @Test("Arbitrary bytes are processed without a trap, and no frame is returned twice")
    func mutations() throws {
        let file = try Encoders.lame(PCM.music(frameCount: 12_000), ["-b", "64", "--add-id3v2", "--tt", "T"])
        var random = SeededGenerator(seed: 77)
        for _ in 0..<2000 {
            var bytes = file
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(contentsOf: [0xFF, 0xFB, 0x90], at: place)
                }
            }
            let found = Self.feed(bytes, pieces: Int.random(in: 1...3000, using: &random))
            for (a, b) in zip(found.ranges, found.ranges.dropFirst()) {
                #expect(a.upperBound <= b.lowerBound)
            }
            #expect(found.ranges.last.map { $0.upperBound <= bytes.count } ?? true)
        }
    }
}
