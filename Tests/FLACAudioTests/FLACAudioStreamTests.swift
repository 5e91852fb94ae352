import AudioFrames
import Foundation
import TestSupport
import Testing

@testable import FLACAudio

/// Scans of FLAC files: format, length and frames, against what was encoded and against other tools.
@Suite("FLAC streams")
struct FLACAudioStreamTests {
    private static let formats: [(rate: Int, channels: Int, depth: Int, options: [String])] = [
        (8_000, 1, 16, []), (11_025, 2, 8, []), (44_100, 2, 16, ["-8"]), (44_100, 2, 16, ["-b", "192"]),
        (44_100, 2, 16, ["-0"]), (48_000, 3, 24, []), (48_000, 4, 16, []), (48_000, 5, 24, []),
        (48_000, 6, 24, ["-b", "16384"]), (88_200, 2, 24, []), (96_000, 6, 24, []), (176_400, 1, 24, []),
        (192_000, 2, 24, ["-b", "65535"]), (192_000, 2, 32, []), (44_100, 8, 16, []), (37_800, 2, 16, []),
    ]

    @Test(
        "Format, exact length and bytes of every frame are those of the encoder", arguments: formats.indices)
    func format(index: Int) throws {
        let (rate, channels, depth, options) = Self.formats[index]
        let sound = IntegerSound.tones(
            frameCount: rate + 1234, sampleRate: rate, channelCount: channels, bitDepth: depth)
        let bytes = try sound.flac(options)
        let stream = try FLACAudioStream.scan(bytes.span.bytes)
        #expect(stream.format.sampleRate == rate)
        #expect(stream.format.channelCount == channels)
        #expect(stream.format.bitDepth == depth)
        #expect(stream.sampleCount == rate + 1234)
        #expect(stream.info.sampleCount == rate + 1234)
        #expect(stream.payload.upperBound == bytes.count)
        #expect(stream.index.byteCount == stream.payload.count)
        #expect(stream.diagnostics == FLACDiagnostics())
        // `flac --analyze` states each frame's offset, size and number of samples.
        let directory = try TemporaryDirectory()
        let file = try directory.write(bytes, as: "in.flac")
        try ProcessRun.run("flac", ["--silent", "--analyze", "-o", directory.file("out.ana"), file])
        let text = String(decoding: try directory.read("out.ana"), as: UTF8.self)
        var place = 0
        for line in text.split(separator: "\n") where line.hasPrefix("frame=") {
            let values = Dictionary(
                uniqueKeysWithValues: line.split(separator: "\t").map { part in
                    let sides = part.split(separator: "=")
                    return (String(sides[0]), String(sides[1]))
                })
            let frame = stream.index[place]
            #expect(values["offset"] == "\(frame.range.lowerBound)")
            #expect(values["bits"] == "\(frame.range.count * 8)")
            #expect(values["blocksize"] == "\(frame.sampleCount)")
            #expect(frame.isIntact)
            place += 1
        }
        #expect(place == stream.index.count && place > 0)
    }

    @Test("A stored index reads back as it was; damage is rejected")
    func storedIndex() throws {
        let bytes = try IntegerSound.tones(frameCount: 400_000).flac(["-b", "1000"])
        let stream = try FLACAudioStream.scan(bytes.span.bytes)
        let blob = stream.index.encoded()
        #expect(try FLACFrameIndex(decoding: blob, start: stream.payload.lowerBound) == stream.index)
        #expect(blob.count < 4 * stream.index.count + 20)
        for count in 0..<blob.count {
            #expect(throws: AudioFormatError.self) { try FLACFrameIndex(decoding: Array(blob[..<count])) }
        }
    }

    @Test("A damaged frame is found, and the frames after it keep their places")
    func damage() throws {
        var bytes = try IntegerSound.tones(frameCount: 100_000).flac()
        let sound = try FLACAudioStream.scan(bytes.span.bytes)
        let frame = sound.index[7].range
        for position in frame.lowerBound + 20..<frame.lowerBound + 40 { bytes[position] ^= 0x5A }
        let stream = try FLACAudioStream.scan(bytes.span.bytes)
        #expect(stream.index.count == sound.index.count)
        #expect(stream.sampleCount == 100_000)
        #expect(stream.diagnostics.damagedFrameCount == 1)
        #expect(!stream.index[7].isIntact && stream.index[8].isIntact)
        #expect(stream.index[8].range == sound.index[8].range)
    }

    @Test("A frame without a header is left out; the one before it is damaged, since its end is unknown")
    func lostHeader() throws {
        var bytes = try IntegerSound.tones(frameCount: 100_000).flac()
        let sound = try FLACAudioStream.scan(bytes.span.bytes)
        bytes[sound.index[5].range.lowerBound] = 0
        let stream = try FLACAudioStream.scan(bytes.span.bytes)
        #expect(stream.index.count == sound.index.count - 1)
        #expect(stream.index[4].range.lowerBound == sound.index[4].range.lowerBound)
        #expect(stream.index[4].range.upperBound <= sound.index[5].range.upperBound)
        #expect(stream.index[5].range == sound.index[6].range)
        #expect(!stream.index[4].isIntact && stream.index[5].isIntact)
        #expect(stream.diagnostics.jumpCount == 1)
    }

    @Test("A file that ends inside a frame loses that frame")
    func truncated() throws {
        let bytes = try IntegerSound.tones(frameCount: 100_000).flac()
        let sound = try FLACAudioStream.scan(bytes.span.bytes)
        let last = sound.index[sound.index.count - 1]
        let cut = Array(bytes.dropLast(10))
        let stream = try FLACAudioStream.scan(cut.span.bytes)
        #expect(stream.diagnostics.truncatedLastFrame)
        #expect(stream.index.count == sound.index.count - 1)
        #expect(stream.sampleCount == 100_000 - last.sampleCount)
        #expect(stream.info.sampleCount == 100_000)
    }

    @Test("Tags around the stream do not belong to the audio")
    func tags() throws {
        let bytes = try IntegerSound.tones(frameCount: 50_000).flac()
        let plain = try FLACAudioStream.scan(bytes.span.bytes)
        let id3 = Array("ID3".utf8) + [4, 0, 0, 0, 0, 7, 104] + [UInt8](repeating: 0, count: 1000)
        let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)
        let tagged = id3 + bytes + id3v1
        let stream = try FLACAudioStream.scan(tagged.span.bytes)
        #expect(stream.payload == plain.payload.lowerBound + 1010..<plain.payload.upperBound + 1010)
        #expect(stream.diagnostics.hasLeadingID3v2)
        #expect(stream.index.encoded() == plain.index.encoded())
        // A tag whose size is too large.
        var wrong = id3 + bytes
        wrong[7] = 9
        #expect(try FLACAudioStream.scan(wrong.span.bytes).payload.lowerBound == stream.payload.lowerBound)
    }

    @Test("Metadata blocks with wrong sizes do not hide the audio")
    func metadataSizes() throws {
        let bytes = try IntegerSound.tones(frameCount: 50_000).flac(["--padding=5000"])
        let plain = try FLACAudioStream.scan(bytes.span.bytes)
        for (position, value) in [(43, 0xFF), (44, 3), (45, 0x55)] as [(Int, UInt8)] {
            var wrong = bytes
            wrong[position] ^= value
            let stream = try FLACAudioStream.scan(wrong.span.bytes)
            #expect(stream.payload == plain.payload && stream.sampleCount == 50_000)
            // A smaller error may end in the padding, whose zeros are empty blocks that lead to the audio.
            if position == 43 { #expect(stream.diagnostics.hasWrongMetadataSize) }
        }
    }

    @Test("A file with mostly damaged frames is rejected")
    func mostlyDamaged() throws {
        var bytes = try IntegerSound.tones(frameCount: 50_000).flac()
        let sound = try FLACAudioStream.scan(bytes.span.bytes)
        for place in 0..<sound.index.count where place % 3 > 0 {
            bytes[sound.index[place].range.upperBound - 1] ^= 1
        }
        let damaged = bytes
        let error = #expect(throws: AudioFormatError.self) { try FLACAudioStream.scan(damaged.span.bytes) }
        #expect(error?.code == .noAudio)
    }

    @Test("Other files and files without audio are rejected with a reason")
    func others() throws {
        let bytes = try IntegerSound.tones(frameCount: 5_000).flac()
        let start = try FLACAudioStream.scan(bytes.span.bytes).payload.lowerBound
        for (file, code) in [
            ([], .otherFileType), (Array("fLaX".utf8), .otherFileType), (Array("fLaC".utf8), .noStreamInfo),
            (Array(bytes[..<30]), .noStreamInfo), (Array(bytes[..<start]), .noAudio),
            (Array("fLaC".utf8) + [UInt8](repeating: 0, count: 1000), .noStreamInfo),
        ] as [([UInt8], AudioFormatError.Code)] {
            do {
                _ = try FLACAudioStream.scan(file.span.bytes)
                Issue.record("accepted")
            } catch {
                #expect(error.code == code)
            }
        }
    }
}
