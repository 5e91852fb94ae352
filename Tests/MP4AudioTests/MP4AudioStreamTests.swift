import AudioFrames
import Foundation
import TestSupport
import Testing

@testable import MP4Audio

/// Scans of MP4 files: access units and lengths, against what was encoded and against ffprobe.
@Suite("MP4 streams")
struct MP4AudioStreamTests {
    private static let layouts: [(options: [String], isFragmented: Bool)] = [
        ([], false), (["-movflags", "+faststart"], false),
        (["-movflags", "frag_keyframe+empty_moov", "-frag_duration", "300000"], true),
        (["-movflags", "frag_keyframe+delay_moov+default_base_moof", "-frag_duration", "300000"], true),
        (["-movflags", "frag_keyframe+separate_moof+omit_tfhd_offset", "-frag_duration", "300000"], true),
        (["-movflags", "frag_keyframe", "-frag_duration", "300000"], true),
        (["-use_editlist", "0"], false), (["-movflags", "cmaf"], true),
        (["-movie_timescale", "44100"], false),
    ]

    @Test("Access units and exact length are those of the encoder and of ffprobe", arguments: layouts.indices)
    func layout(index: Int) throws {
        let (options, isFragmented) = Self.layouts[index]
        let sound = IntegerSound.tones(frameCount: 123_457)
        for codec in ["aac", "alac"] {
            let bytes = try sound.mp4(["-c:a", codec] + options)
            let stream = try MP4AudioStream.scan(bytes.span.bytes)
            #expect(stream.diagnostics == MP4Diagnostics())
            #expect(stream.index.codec.sampleRate == 44_100 && stream.index.codec.channelCount == 2)
            let units = (0..<stream.index.units.count).map { stream.index.units[$0].range }
            #expect(
                units.map { ListedPacket(position: $0.lowerBound, size: $0.count) }
                    == (try ListedPacket.list(bytes)))
            if codec == "alac" {
                #expect(stream.sampleCount == 123_457 && stream.index.codec.bitDepth == 16)
            } else if isFragmented || options.contains("-use_editlist") {
                // Some of these files state no delay, and then all units are played.
                let hasEdits = String(decoding: bytes, as: UTF8.self).contains("elst")
                #expect(stream.sampleCount == (hasEdits ? 123_457 : 1024 * units.count))
            } else {
                #expect(stream.index.played == 1024..<1024 + 123_457)
            }
        }
    }

    @Test("A stored index reads back as it was; cut ones are rejected")
    func storedIndex() throws {
        for codec in ["aac", "alac"] {
            let bytes = try IntegerSound.tones(frameCount: 200_000).mp4(["-c:a", codec])
            let stream = try MP4AudioStream.scan(bytes.span.bytes)
            let blob = stream.index.encoded()
            #expect(try MP4AudioIndex(decoding: blob, start: stream.payload.lowerBound) == stream.index)
            #expect(blob.count < 4 * stream.index.units.count + 60)
            for count in 0..<blob.count {
                #expect(throws: AudioFormatError.self) { try MP4AudioIndex(decoding: Array(blob[..<count])) }
            }
        }
    }

    @Test("A sample belongs to the unit that contains it")
    func unitOfSample() throws {
        let bytes = try IntegerSound.tones(frameCount: 400_000).mp4(["-c:a", "aac"])
        let units = try MP4AudioStream.scan(bytes.span.bytes).index.units
        for sample in [0, 1023, 1024, 65_535, 65_536, 300_000, units.sampleCount - 1] {
            #expect(units.frame(containing: sample) == sample / 1024)
        }
        #expect(units.frame(containing: -1) == nil && units.frame(containing: units.sampleCount) == nil)
    }

    // MARK: - Bad input

    private func error(_ bytes: [UInt8]) -> AudioFormatError.Code? {
        do {
            _ = try MP4AudioStream.scan(bytes.span.bytes)
            return nil
        } catch {
            return error.code
        }
    }

    /// Replaces a four-character code.
    private func replacing(_ old: String, _ new: String, in bytes: [UInt8]) throws -> [UInt8] {
        let range = try #require(bytes.firstRange(of: Array(old.utf8)))
        var bytes = bytes
        bytes.replaceSubrange(range, with: Array(new.utf8))
        return bytes
    }

    @Test("Errors name the reason")
    func errors() throws {
        let bytes = try IntegerSound.tones(frameCount: 40_000).mp4(["-c:a", "aac"])
        #expect(error(Array("ID3".utf8)) == .otherFileType)
        #expect(error([]) == .otherFileType)
        #expect(error(try replacing("mp4a", "enca", in: bytes)) == .encrypted)
        #expect(error(try replacing("mp4a", "drms", in: bytes)) == .encrypted)
        #expect(error(try replacing("mp4a", "ac-3", in: bytes)) == .unsupportedCodec)
        #expect(error(try replacing("soun", "vide", in: bytes)) == .noAudio)
        #expect(error(try replacing("stbl", "free", in: bytes)) == .noAudio)
        // The index is at the end.
        for count in [40, bytes.count / 2, bytes.count - 1000] {
            #expect(error(Array(bytes[..<count])) == .truncated)
        }
        let mp3 = MP4Boxes.File(
            entry: MP4Boxes.aac([0x12, 0x10], objectType: 0x6B), tables: [], data: [])
        #expect(error(mp3.bytes) == .unsupportedCodec)
        let empty = MP4Boxes.File(entry: MP4Boxes.aac([0x12, 0x10]), tables: [], data: [])
        #expect(error(empty.bytes) == .noAudio)
    }

    @Test("Audio beyond the end of the file is left out and counted")
    func truncated() throws {
        for options in [
            ["-movflags", "+faststart"],
            ["-movflags", "frag_keyframe+empty_moov", "-frag_duration", "900000"],
        ] {
            let bytes = try IntegerSound.tones(frameCount: 200_000).mp4(["-c:a", "alac"] + options)
            let whole = try MP4AudioStream.scan(bytes.span.bytes)
            let short = try MP4AudioStream.scan(Array(bytes[..<(bytes.count * 2 / 3)]).span.bytes)
            #expect(short.index.units.count < whole.index.units.count && short.diagnostics.missingUnits > 0)
            #expect(short.sampleCount == short.index.units.sampleCount)
            let last = short.index.units[short.index.units.count - 1]
            #expect(last == whole.index.units[short.index.units.count - 1])
        }
    }

    // MARK: - Tables of all kinds

    /// A file of twelve units of 10 to 21 bytes in three chunks of 3, 3 and 6, whose order in the file is the second, the first, the third.
    private func file(_ sizes: [UInt8], _ offsets: ([Int]) -> [UInt8]) -> MP4Boxes.File {
        let stts = MP4Boxes.full(
            "stts", MP4Boxes.number(2, 4),
            [(11, 1024), (1, 500)].flatMap { MP4Boxes.number($0, 4) + MP4Boxes.number($1, 4) })
        let stsc = MP4Boxes.full(
            "stsc", MP4Boxes.number(2, 4),
            [(1, 3), (3, 6)].flatMap {
                MP4Boxes.number($0, 4) + MP4Boxes.number($1, 4) + MP4Boxes.number(1, 4)
            })
        return MP4Boxes.File(
            entry: MP4Boxes.aac([0x12, 0x10]),
            tables: stts + stsc + sizes + offsets([24 + 42, 24, 24 + 42 + 33]),
            data: [UInt8](repeating: 7, count: 42 + 33 + 111))
    }

    @Test("Sizes of 32, 16 and 8 bits and offsets of 32 and 64 bits give the same units")
    func tables() throws {
        let sizes = Array(10..<22)
        func compact(_ width: Int) -> [UInt8] {
            MP4Boxes.full(
                "stz2", MP4Boxes.number(width, 4), MP4Boxes.number(12, 4),
                sizes.flatMap { MP4Boxes.number($0, width / 8) })
        }
        let full = MP4Boxes.full(
            "stsz", MP4Boxes.number(0, 4), MP4Boxes.number(12, 4), sizes.flatMap { MP4Boxes.number($0, 4) })
        let short: ([Int]) -> [UInt8] = {
            MP4Boxes.full("stco", MP4Boxes.number(3, 4), $0.flatMap { MP4Boxes.number($0, 4) })
        }
        let long: ([Int]) -> [UInt8] = {
            MP4Boxes.full("co64", MP4Boxes.number(3, 4), $0.flatMap { MP4Boxes.number($0, 8) })
        }
        for (sizes, offsets) in [(full, short), (full, long), (compact(16), short), (compact(8), long)] {
            let stream = try MP4AudioStream.scan(file(sizes, offsets).bytes.span.bytes)
            let units = (0..<12).map { stream.index.units[$0].range }
            #expect(units.map(\.count) == Array(10..<22))
            #expect([0, 3, 6].map { units[$0].lowerBound } == [66, 24, 99])
            #expect(stream.payload == 24..<24 + 42 + 33 + 111)
            let stored = try MP4AudioIndex(decoding: stream.index.encoded(), start: 24)
            #expect(stored == stream.index)
        }
    }

    @Test("Nibbles, and one size for all")
    func smallTables() throws {
        func scan(_ sizes: [UInt8]) throws -> [Int] {
            let chunk = MP4Boxes.full("stco", MP4Boxes.number(1, 4), MP4Boxes.number(24, 4))
            let runs = MP4Boxes.full(
                "stsc", MP4Boxes.number(1, 4), [1, 5, 1].flatMap { MP4Boxes.number($0, 4) })
            let file = MP4Boxes.File(
                entry: MP4Boxes.aac([0x12, 0x10]), tables: sizes + chunk + runs,
                data: [UInt8](repeating: 1, count: 100))
            let units = try MP4AudioStream.scan(file.bytes.span.bytes).index.units
            return (0..<units.count).map { units[$0].range.count }
        }
        let nibbles = MP4Boxes.full("stz2", MP4Boxes.number(4, 4), MP4Boxes.number(5, 4), [0x12, 0x34, 0x50])
        #expect(try scan(nibbles) == [1, 2, 3, 4, 5])
        let common = MP4Boxes.full("stsz", MP4Boxes.number(9, 4), MP4Boxes.number(5, 4))
        #expect(try scan(common) == [9, 9, 9, 9, 9])
        // Far more than the file holds ends without delay.
        let many = MP4Boxes.full("stsz", MP4Boxes.number(1, 4), MP4Boxes.number(0xFFFF_FFFF, 4))
        #expect(try scan(many) == [1, 1, 1, 1, 1])
    }

    // MARK: - Timeline

    private func edited(_ boxes: [UInt8], movie: [UInt8] = [], scale: Int = 1000) throws -> Range<Int> {
        let table = MP4Boxes.full("stsz", MP4Boxes.number(2, 4), MP4Boxes.number(50, 4))
        let times = MP4Boxes.full(
            "stts", MP4Boxes.number(2, 4), [49, 1024, 1, 600].flatMap { MP4Boxes.number($0, 4) })
        let chunk = MP4Boxes.full("stco", MP4Boxes.number(1, 4), MP4Boxes.number(24, 4))
        let runs = MP4Boxes.full(
            "stsc", MP4Boxes.number(1, 4), [1, 50, 1].flatMap { MP4Boxes.number($0, 4) })
        var file = MP4Boxes.File(
            entry: MP4Boxes.aac([0x12, 0x10]), tables: table + times + chunk + runs,
            data: [UInt8](repeating: 1, count: 100))
        file.trackBoxes = boxes
        file.movieBoxes = movie
        file.movieScale = scale
        return try MP4AudioStream.scan(file.bytes.span.bytes).index.played
    }

    private func edits(_ entries: [(Int, Int)]) -> [UInt8] {
        let list = entries.flatMap {
            MP4Boxes.number($0, 4) + MP4Boxes.number($1, 4) + MP4Boxes.number(0x1_0000, 4)
        }
        return MP4Boxes.box("edts", MP4Boxes.full("elst", MP4Boxes.number(entries.count, 4), list))
    }

    private func comment(_ text: String) -> [UInt8] {
        let data = MP4Boxes.box("data", MP4Boxes.number(1, 4), MP4Boxes.number(0, 4), Array(text.utf8))
        let own = MP4Boxes.box(
            "----", MP4Boxes.full("mean", Array("com.apple.iTunes".utf8)),
            MP4Boxes.full("name", Array("iTunSMPB".utf8)), data)
        return MP4Boxes.box("udta", MP4Boxes.full("meta", MP4Boxes.box("ilst", own)))
    }

    @Test("The edit list decides; its milliseconds are made exact by the media's duration or iTunes' comment")
    func timeline() throws {
        let all = 49 * 1024 + 600
        #expect(try edited([]) == 0..<50 * 1024)
        #expect(try edited(edits([((all - 1024) * 1000 / 44_100, 1024)])) == 1024..<all)
        // A duration of its own, in the movie's time scale.
        #expect(try edited(edits([(1000, 2048)])) == 2048..<2048 + 44_100)
        #expect(try edited(edits([(30_001, 2112)]), scale: 44_100) == 2112..<2112 + 30_001)
        // A pause comes first; a second edit continues.
        #expect(
            try edited(edits([(20, 0xFFFF_FFFF), (500, 1024), (500, 1024 + 22_050)])) == 1024..<1024 + 44_100)
        // No duration: up to the end.
        #expect(try edited(edits([(0, 1024)])) == 1024..<all)
        let itunes = comment(" 00000000 00000840 000001C4 0000000000008CA3 00000000 00000000")
        #expect(try edited([], movie: itunes) == 0x840..<0x840 + 0x8CA3)
        // 0x8CA3 samples are 816.4 ms.
        #expect(try edited(edits([(816, 0x840)]), movie: itunes) == 0x840..<0x840 + 0x8CA3)
        #expect(try edited(edits([(700, 0x840)]), movie: itunes) == 0x840..<0x840 + 30_870)
        // Impossible values are clamped.
        #expect(try edited(edits([(1000, 60_000)])) == 50 * 1024..<50 * 1024)
    }
}
