import AudioFrames
import Foundation
import TestSupport
import Testing

import AudioChannels
@testable import PCMAudio

/// Scans of WAV and AIFF files, compared with ffmpeg.
@Suite("WAV and AIFF files")
struct PCMAudioStreamTests {
    private static let codings: [(ending: String, codec: String, depth: Int)] = [
        ("wav", "pcm_u8", 8), ("wav", "pcm_s16le", 16), ("wav", "pcm_s24le", 24), ("wav", "pcm_s32le", 32),
        ("wav", "pcm_f32le", 32), ("wav", "pcm_f64le", 64), ("wav", "pcm_alaw", 8), ("wav", "pcm_mulaw", 8),
        ("aiff", "pcm_s8", 8), ("aiff", "pcm_s16be", 16), ("aiff", "pcm_s24be", 24),
        ("aiff", "pcm_s32be", 32),
        ("aiff", "pcm_s16le", 16), ("aiff", "pcm_f32be", 32), ("aiff", "pcm_f64be", 64),
        ("aiff", "pcm_alaw", 8),
        ("aiff", "pcm_mulaw", 8),
    ]

    @Test(
        "204 files of all codings, rates and numbers of channels have ffmpeg's length and samples",
        arguments: codings.indices)
    func manyFormats(place: Int) throws {
        let (ending, codec, depth) = Self.codings[place]
        let rates = [
            8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000, 384_000,
        ]
        for (number, rate) in rates.enumerated() {
            let channels = 1 + (number + place) % 6
            let name = "\(codec) in \(ending), \(rate) Hz, \(channels) channels"
            let bytes = try PCMFile.make(
                ["-c:a", codec], ending, sampleRate: rate, channels: channels,
                frameCount: 3_000 + 311 * number)
            let stream = try PCMAudioStream.scan(bytes.span.bytes)
            #expect(stream.sampleCount == 3_000 + 311 * number, "\(name)")
            #expect(stream.format.sampleRate == rate && stream.format.channelCount == channels, "\(name)")
            #expect(stream.format.coding.bitDepth == depth, "\(name)")
            #expect(stream.statedSampleCount == stream.sampleCount && !stream.isTruncated, "\(name)")
            let mine = PCMFile.samples(bytes, stream, frameCount: stream.sampleCount)
            let interleaved = (0..<stream.sampleCount).flatMap { index in mine.map { $0[index] } }
            let isSame = interleaved == (try PCMFile.decoded(bytes, ending))
            #expect(isSame, "\(name)")
        }
    }

    @Test("A file that was written to a pipe has all samples", arguments: ["wav", "aiff"])
    func pipe(ending: String) throws {
        let directory = try TemporaryDirectory()
        let input = try directory.write(PCMFile.make([], "wav", frameCount: 5_000), as: "in.wav")
        let run = try ProcessRun.run("sox", [input, "-t", ending, "-"])
        let bytes = [UInt8](run.output)
        let stream = try PCMAudioStream.scan(bytes.span.bytes)
        #expect(stream.sampleCount == 5_000)
        #expect(!stream.isTruncated || ending == "aiff")
    }

    @Test("RF64 files state their size in ds64")
    func rf64() throws {
        let bytes = try PCMFile.make(["-rf64", "always"], "wav", frameCount: 4_321)
        #expect(bytes.starts(with: "RF64".utf8))
        let stream = try PCMAudioStream.scan(bytes.span.bytes)
        #expect(stream.sampleCount == 4_321 && stream.statedSampleCount == 4_321)
    }

    @Test("Chunks before and after the samples, of odd sizes and of wrong ones, are passed")
    func chunks() throws {
        let plain = try PCMFile.make([], "wav", frameCount: 700)
        let samples = try PCMAudioStream.scan(plain.span.bytes)
        // An odd chunk with its padding, and one without.
        for padding in [[UInt8](), [0]] {
            let extra = Array("junk".utf8) + [3, 0, 0, 0, 1, 2, 3] + padding
            var bytes = plain
            bytes.insert(contentsOf: extra, at: 12)
            bytes += Array("LIST".utf8) + [0xF0, 0xFF, 0xFF, 0x7F]
            let stream = try PCMAudioStream.scan(bytes.span.bytes)
            #expect(stream.sampleCount == 700)
            #expect(Array(bytes[stream.payload]) == Array(plain[samples.payload]))
        }
    }

    @Test("A truncated file has the samples that are present, and says so", arguments: ["wav", "aiff"])
    func truncated(ending: String) throws {
        let whole = try PCMFile.make([], ending, frameCount: 1_000)
        let cut = Array(whole.dropLast(1_001))
        let stream = try PCMAudioStream.scan(cut.span.bytes)
        #expect(stream.isTruncated && stream.statedSampleCount == 1_000)
        #expect(stream.sampleCount == (1_000 * stream.format.frameSize - 1_001) / stream.format.frameSize)
    }

    @Test("Speakers come from the mask of an extensible format")
    func mask() throws {
        let quad = try PCMFile.make(["-channel_layout", "quad(side)"], "wav", channels: 4)
        let stream = try PCMAudioStream.scan(quad.span.bytes)
        #expect(stream.format.layout.loudspeakers == [.frontLeft, .frontRight, .sideLeft, .sideRight])
        let plain = try PCMFile.make([], "wav", channels: 6)
        let surround = try PCMAudioStream.scan(plain.span.bytes).format.layout.loudspeakers
        #expect(
            surround == [.frontLeft, .frontRight, .frontCentre, .lowFrequency, .backLeft, .backRight])
    }

    @Test(
        "Other codecs are named in the error",
        arguments: [("adpcm_ms", "Microsoft ADPCM"), ("adpcm_ima_wav", "IMA ADPCM")])
    func otherCodecs(codec: String, name: String) throws {
        let bytes = try PCMFile.make(["-c:a", codec], "wav", frameCount: 10_000)
        let error = #expect(throws: AudioFormatError.self) { try PCMAudioStream.scan(bytes.span.bytes) }
        #expect(error?.code == .unsupportedCodec)
        #expect(error?.message.contains(name) == true)
    }

    @Test("Files without samples, without a format and of other types are rejected with the reason")
    func rejected() throws {
        func code(_ bytes: [UInt8]) -> AudioFormatError.Code? {
            do throws(AudioFormatError) {
                _ = try PCMAudioStream.scan(bytes.span.bytes)
                return nil
            } catch { return error.code }
        }
        let wav = try PCMFile.make([], "wav", frameCount: 10)
        #expect(code(Array("RIFF\u{4}\0\0\0WAVE".utf8)) == .noFormat)
        #expect(code(Array(wav.prefix(36))) == .noAudio)
        #expect(code(Array(wav.prefix(44))) == .noAudio)
        #expect(code(Array("RIFF\u{4}\0\0\0WEBP".utf8)) == .otherFileType)
        #expect(code([]) == .otherFileType)
    }
}
