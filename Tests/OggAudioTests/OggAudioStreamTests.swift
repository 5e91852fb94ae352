import AudioFrames
import Foundation
import TestSupport
import Testing

@testable import OggAudio

/// Scans of Ogg files: format, length, packets and headers, against what was encoded and against other tools.
@Suite("Ogg streams")
struct OggAudioStreamTests {
    private static func scan(_ bytes: [UInt8]) throws -> OggAudioStream {
        try OggAudioStream.scan(bytes.span.bytes)
    }

    private static func tones(_ count: Int, rate: Int = 48_000, channels: Int = 2, seed: UInt64 = 1)
        -> IntegerSound
    {
        IntegerSound.tones(frameCount: count, sampleRate: rate, channelCount: channels, seed: seed)
    }

    @Test(
        "Opus: length, packets and durations are those of the file",
        arguments: ["2.5", "5", "10", "20", "40", "60"], [1, 2, 6])
    func opus(frame: String, channels: Int) throws {
        let bytes = try Self.tones(61_234, channels: channels).opus(["--framesize", frame])
        let stream = try Self.scan(bytes)
        #expect(stream.codec == .opus && stream.sampleRate == 48_000 && stream.channelCount == channels)
        #expect(stream.sampleCount == 61_234)
        #expect(stream.diagnostics == OggDiagnostics())
        let pages = OggTestPage.pages(of: bytes)
        let packets = Array(OggTestPage.packets(of: pages).dropFirst(2))
        #expect(stream.index.packets.count == packets.count)
        let own = (0..<stream.index.packets.count).map {
            stream.index.packets[$0].bytes(of: bytes.span.bytes)
        }
        #expect(own == packets)
        // The encoder may make the last packet shorter.
        let duration = Int(try #require(Double(frame)) * 48)
        let durations = (0..<stream.index.packets.count - 1).map { stream.index.packets[$0].sampleCount }
        #expect(durations.allSatisfy { $0 == duration })
        #expect(stream.payload.upperBound == bytes.count)
        #expect(stream.payload.lowerBound == pages[0].bytes.count + pages[1].bytes.count)
        let head = try #require(stream.index.links.first?.opusHead)
        #expect(head.bytes == pages[0].body && stream.index.links[0].skippedSamples == head.preSkip)
    }

    @Test(
        "Vorbis: length, packets and rate are those of the file",
        arguments: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000, 192_000], [1, 2, 5])
    func vorbis(rate: Int, channels: Int) throws {
        let bytes = try Self.tones(41_234, rate: rate, channels: channels).vorbis(["-q", "4"])
        let stream = try Self.scan(bytes)
        #expect(stream.codec == .vorbis && stream.sampleRate == rate && stream.channelCount == channels)
        #expect(stream.sampleCount == 41_234)
        #expect(stream.diagnostics == OggDiagnostics())
        let packets = Array(OggTestPage.packets(of: OggTestPage.pages(of: bytes)).dropFirst(3))
        #expect(stream.index.packets.count == packets.count)
        let own = (0..<stream.index.packets.count).map {
            stream.index.packets[$0].bytes(of: bytes.span.bytes)
        }
        #expect(own == packets)
    }

    @Test("A stored index reads back as it was, with its links; damage is rejected")
    func storedIndex() throws {
        let one = try Self.tones(400_000).opus(["--bitrate", "200"])
        let two = try Self.tones(50_000, seed: 2).opus()
        for bytes in [one + two, try Self.tones(300_000).vorbis(["-q", "9"])] {
            let stream = try Self.scan(bytes)
            let blob = stream.index.encoded()
            #expect(
                try OggPacketIndex(decoding: blob, start: stream.payload.lowerBound) == stream.index)
            #expect(blob.count < 5 * stream.index.packets.count + 100)
            for count in 0..<blob.count {
                #expect(throws: AudioFormatError.self) { try OggPacketIndex(decoding: Array(blob[..<count])) }
            }
        }
    }

    @Test("Packets are found by their samples")
    func search() throws {
        let index = try Self.scan(try Self.tones(100_000).vorbis()).index
        for sample in stride(from: 0, to: index.packets.sampleCount, by: 977) {
            let packet = index.packets[try #require(index.packets.frame(containing: sample))]
            #expect(packet.startSample <= sample && sample < packet.startSample + packet.sampleCount)
        }
        #expect(index.packets.frame(containing: index.packets.sampleCount) == nil)
    }

    @Test("A chain of streams is one stream; links of another format are left out")
    func chains() throws {
        let one = try Self.tones(50_000).vorbis()
        let two = try Self.tones(30_000, seed: 2).vorbis(["-q", "1"])
        let joined = try Self.scan(one + two)
        #expect(joined.sampleCount == 80_000 && joined.index.links.map(\.sampleCount) == [50_000, 30_000])
        #expect(joined.diagnostics == OggDiagnostics())
        let mono = try Self.tones(20_000, channels: 1).vorbis()
        let slow = try Self.tones(20_000, rate: 44_100).vorbis()
        let opus = try Self.tones(20_000).opus()
        let mixed = try Self.scan(one + mono + slow + opus + two)
        #expect(mixed.sampleCount == 80_000 && mixed.diagnostics.differingLinkCount == 3)
        let other = try Self.scan(opus + one + opus)
        #expect(other.codec == .opus && other.sampleCount == 40_000)
    }

    @Test("Of multiplexed streams, the first that can be decoded is read")
    func multiplexed() throws {
        let sound = OggTestPage.numbered(OggTestPage.pages(of: try Self.tones(50_000).vorbis()), serial: 7)
        let plain = try Self.scan(OggTestPage.file(sound))
        let foreign = (0..<sound.count).map { number in
            OggTestPage(
                flags: number == 0 ? 2 : 0, granule: 0, serial: 9, sequence: UInt32(number), segments: [40],
                body: number == 0
                    ? [0x80] + Array("theora".utf8) + [UInt8](repeating: 0, count: 33)
                    : [UInt8](repeating: 3, count: 40))
        }
        let pages = zip(foreign, sound).flatMap { [$0, $1] }
        let stream = try Self.scan(OggTestPage.file(pages))
        #expect(stream.sampleCount == 50_000 && stream.index.packets.count == plain.index.packets.count)
        #expect(stream.diagnostics.foreignPageCount == foreign.count - 1 && stream.diagnostics.gapCount == 0)
        #expect(stream.identityFacts == plain.identityFacts)
    }

    @Test(
        "Streams that start in the middle of a longer one have the length of their packets",
        arguments: [true, false])
    func cutStart(isOpus: Bool) throws {
        let sound = Self.tones(400_000)
        let bytes = isOpus ? try sound.opus() : try sound.vorbis()
        let pages = OggTestPage.pages(of: bytes)
        let first = try Self.scan(bytes)
        // The headers, and the pages from the fifth on.
        let cut = Array(pages[..<2] + pages[5...])
        let stream = try Self.scan(OggTestPage.file(OggTestPage.numbered(cut, serial: 5)))
        let cutAt = Int(pages[4].granule)
        // Each page starts with a whole packet here. Opus drops its pre-skip again; Vorbis' first packet gives no samples.
        let skipped = isOpus ? first.index.links[0].skippedSamples : 0
        let expected = isOpus ? 400_000 - (cutAt - skipped) - skipped : 0
        if isOpus {
            #expect(pages[5].flags == 0 && stream.sampleCount == expected)
        } else {
            let lost = 400_000 - cutAt - stream.sampleCount
            #expect(pages[5].flags == 1 || (lost > 0 && lost <= 2048))
        }
        #expect(stream.diagnostics.gapCount == 0)
    }

    @Test("Vorbis samples before the position 0 are dropped")
    func negativeStart() throws {
        var pages = OggTestPage.pages(of: try Self.tones(100_000).vorbis())
        for place in pages.indices where pages[place].granule > 0 { pages[place].granule -= 1000 }
        let stream = try Self.scan(OggTestPage.file(pages))
        #expect(stream.sampleCount == 99_000 && stream.index.links[0].skippedSamples == 1000)
    }

    @Test("A damaged page is left out, and the others stay", arguments: [true, false])
    func damage(isOpus: Bool) throws {
        let sound = Self.tones(400_000)
        let bytes = isOpus ? try sound.opus() : try sound.vorbis()
        let pages = OggTestPage.pages(of: bytes)
        let plain = try Self.scan(bytes)
        var damaged = bytes
        let place = pages[..<4].reduce(0) { $0 + $1.bytes.count } + 300
        damaged[place] ^= 0x55
        let stream = try Self.scan(damaged)
        #expect(stream.diagnostics.damagedPageCount == 1 && stream.diagnostics.gapCount == 1)
        #expect(stream.sampleCount < plain.sampleCount)
        let lost = pages[4].segments.filter { $0 < 255 }.count
        #expect(abs(plain.index.packets.count - stream.index.packets.count - lost) <= 1)
    }

    @Test("Missing and cut pages, surplus bytes, ID3v2 in front")
    func irregularities() throws {
        let bytes = try Self.tones(300_000).opus()
        let plain = try Self.scan(bytes)
        let pages = OggTestPage.pages(of: bytes)
        let cut = try Self.scan(Array(bytes.dropLast(20)))
        #expect(cut.diagnostics.isTruncated && cut.diagnostics.hasNoLastPage)
        let missing = try Self.scan(OggTestPage.file(Array(pages[..<4] + pages[5...])))
        #expect(missing.diagnostics.gapCount == 1 && missing.sampleCount < plain.sampleCount)
        let noise = [UInt8](repeating: 0x4F, count: 999)
        let first = pages[..<4].reduce(0) { $0 + $1.bytes.count }
        let inserted = try Self.scan(Array(bytes[..<first]) + noise + Array(bytes[first...]))
        #expect(inserted.sampleCount == 300_000 && inserted.diagnostics.skippedBytes == 999)
        #expect(inserted.diagnostics.resyncCount == 1)
        let id3 = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 20)
        let tagged = try Self.scan(id3 + bytes)
        #expect(tagged.sampleCount == 300_000 && tagged.diagnostics.hasLeadingID3v2)
    }

    @Test("Comments of any size do not change what identifies the audio")
    func identity() throws {
        func identity(_ bytes: [UInt8]) throws -> [UInt8] {
            let stream = try Self.scan(bytes)
            var all = stream.identityFacts
            stream.forEachIdentifyingRange { all += bytes[$0] }
            return all
        }
        let sound = Self.tones(100_000)
        let options = ["--serial", "1"]
        let short = try sound.opus(options)
        let long = try sound.opus(options + ["--comment", "X=" + String(repeating: "y", count: 120_000)])
        #expect(long.count > short.count + 100_000)
        #expect(try identity(short) == identity(long))
        let directory = try TemporaryDirectory()
        let plain = try sound.vorbis()
        let path = try directory.write(plain, as: "a.ogg")
        // vorbiscomment rewrites all pages.
        try ProcessRun.run(
            "vorbiscomment", ["-w", path, "-t", "X=" + String(repeating: "y", count: 90_000)])
        let edited = try directory.read("a.ogg")
        #expect(edited.count > plain.count + 80_000)
        #expect(try identity(plain) == identity(edited))
    }

    @Test("The dOps box has the fields of the header, big-endian")
    func opusSpecificBox() throws {
        let directory = try TemporaryDirectory()
        for channels in [1, 2, 6] {
            let bytes = try Self.tones(20_000, channels: channels).opus()
            let head = try #require(try Self.scan(bytes).index.links.first?.opusHead)
            // ffmpeg copies the packets into MP4.
            let path = try directory.write(bytes, as: "in.opus")
            try ProcessRun.run(
                "ffmpeg", ["-v", "error", "-y", "-i", path, "-c", "copy", directory.file("out.mp4")])
            let mp4 = try directory.read("out.mp4")
            let name = Array("dOps".utf8)
            let place = try #require((0..<mp4.count - 4).first { Array(mp4[$0..<$0 + 4]) == name }) + 4
            let size = Int(mp4[place - 5]) - 8
            #expect(Array(mp4[place..<place + size]) == head.opusSpecificBox(preSkip: head.preSkip))
        }
    }

    @Test("Other files and files without audio are rejected with a reason")
    func others() throws {
        let directory = try TemporaryDirectory()
        let flac = try directory.write(try Self.tones(20_000).flac(), as: "a.flac")
        try ProcessRun.run("ffmpeg", ["-v", "error", "-i", flac, "-c", "copy", directory.file("a.oga")])
        try ProcessRun.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=d=1", "-c:v", "libtheora", directory.file("v.ogv")])
        let opus = try Self.tones(20_000).opus()
        let pages = OggTestPage.pages(of: opus)
        var ambisonics = pages
        ambisonics[0].body[18] = 2
        for (file, code, words) in [
            ([], .otherFileType, "not an Ogg"), (Array("OggX".utf8), .otherFileType, "not an Ogg"),
            (Array("OggS".utf8), .noAudio, "no audio"), (Array(opus[..<100]), .noAudio, "no audio"),
            (try directory.read("a.oga"), .unsupportedCodec, "FLAC in Ogg"),
            (try directory.read("v.ogv"), .noAudio, "neither"),
            (OggTestPage.file(ambisonics), .unsupportedCodec, "family 2"),
            (OggTestPage.file(Array(pages[..<2])), .noAudio, "no audio"),
        ] as [([UInt8], AudioFormatError.Code, String)] {
            do {
                _ = try Self.scan(file)
                Issue.record("accepted")
            } catch let error as AudioFormatError {
                #expect(error.code == code && error.message.contains(words), "\(error)")
            }
        }
    }
}
