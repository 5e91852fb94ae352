import AudioFrames
import Foundation
import TestSupport
import Testing

@testable import Analyzer
import MP4Audio
import MusicShared

/// Passes over AAC and ALAC files, compared with ffmpeg's decoder and the encoders' input.
@Suite("MP4 analysis")
struct MP4AnalysisTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func file(_ bytes: [UInt8], _ name: String = UUID().uuidString) throws -> MappedFile {
        try MappedFile(path: Array(directory.write(bytes, as: name).utf8))
    }

    private func analysis(_ bytes: [UInt8]) throws -> TrackAnalysis { try .of(bytes, in: directory) }

    /// Samples as decoded by ffmpeg, interleaved, without its trimming.
    private func reference(_ bytes: [UInt8]) throws -> [Float] {
        let path = try directory.write(bytes, as: "ffmpeg.m4a")
        let run = try ProcessRun.run(
            "ffmpeg",
            [
                "-v", "error", "-ignore_editlist", "1", "-flags2", "+skip_manual", "-i", path, "-f", "f32le",
                "-",
            ])
        return run.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    private static let options: [[String]] = [
        [], ["-movflags", "+faststart"],
        ["-movflags", "frag_keyframe+empty_moov", "-frag_duration", "200000"],
        ["-movflags", "frag_keyframe+delay_moov+default_base_moof", "-frag_duration", "200000"],
        ["-use_editlist", "0"],
    ]

    @Test(
        "120 ALAC files of all rates, channels, depths and containers have their exact length and samples",
        arguments: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000])
    func alac(rate: Int) throws {
        for number in 0..<12 {
            let (depth, channels) = (number % 2 == 0 ? 16 : 24, 1 + (number + rate / 100) % 6)
            let sound = IntegerSound.tones(
                frameCount: 5_000 + 1_237 * number, sampleRate: rate, channelCount: channels, bitDepth: depth,
                seed: UInt64(rate + number))
            // 24 bits are kept only on request.
            let format = depth == 24 ? ["-sample_fmt", "s32p", "-bits_per_raw_sample", "24"] : []
            let options = Self.options[(number + rate / 25) % Self.options.count]
            let bytes = try sound.mp4(["-c:a", "alac"] + format + options, layout: sound.alacLayout)
            let name = "\(rate) Hz, \(channels) channels, \(depth) bit, \(options)"
            let stream = try AudioStreams.scan(bytes.span.bytes) { _ in }
            #expect(stream.format == .alac && stream.sampleCount == sound.frameCount, "\(name)")
            let decoded = try DecodedSound(bytes)
            #expect(decoded.result == DecodedAudio(), "\(name)")
            let scale = 1 / Float(1 << (depth - 1))
            let isExact = decoded.channels == sound.channels.map { $0.map { Float($0) * scale } }
            #expect(isExact, "\(name)")
        }
    }

    @Test(
        "110 AAC files of all rates, channels and containers have their exact length and ffmpeg's samples",
        arguments: [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 96_000])
    func aac(rate: Int) throws {
        for number in 0..<10 {
            let channels = 1 + (number + rate / 100) % 6
            let options = Self.options[(number + rate / 25) % Self.options.count]
            let sound = IntegerSound.tones(
                frameCount: 9_000 + 1_237 * number, sampleRate: rate, channelCount: channels,
                seed: UInt64(rate + number))
            let bytes = try sound.mp4(["-c:a", "aac", "-b:a", "\(32 * channels)k"] + options)
            let name = "\(rate) Hz, \(channels) channels, \(options)"
            let stream = try AudioStreams.scan(bytes.span.bytes) { _ in }
            let decoded = try DecodedSound(bytes)
            #expect(stream.format == .aac && decoded.result == DecodedAudio(), "\(name)")
            let theirs = try reference(bytes)
            // The encoder's delay; files without an edit list are played whole.
            let hasEdits = String(decoding: bytes, as: UTF8.self).contains("elst")
            let delay = hasEdits ? 1024 : 0
            let length = hasEdits ? sound.frameCount : theirs.count / channels
            #expect(stream.sampleCount == length, "\(name)")
            #expect(decoded.channels.map(\.count) == [Int](repeating: length, count: channels), "\(name)")
            var largest: Float = 0
            for (channel, samples) in decoded.channels.enumerated() {
                for (place, sample) in samples.enumerated()
                where (place + delay) * channels + channel < theirs.count {
                    largest = max(largest, abs(sample - theirs[(place + delay) * channels + channel]))
                }
            }
            #expect(largest < 1e-6, "\(name): \(largest)")
        }
    }

    /// HE-AAC whose units carry no replicated band: a decoder doubles the rate all the same.
    @Test("HE-AAC has the doubled rate, and ffmpeg's length and samples", arguments: [1, 2])
    func bandReplication(channels: Int) throws {
        let sound = IntegerSound.tones(frameCount: 60_000, sampleRate: 22_050, channelCount: channels)
        let plain = try sound.mp4(["-c:a", "aac", "-b:a", "64k"])
        let units = try ListedPacket.list(plain).map { plain[$0.position..<$0.position + $0.size] }
        let sizes = units.flatMap { MP4Boxes.number($0.count, 4) }
        let count = MP4Boxes.number(units.count, 4)
        let one = MP4Boxes.number(1, 4)
        // Object type 5 over 22,050 Hz, extended to 44,100 Hz, with object type 2 inside (ISO/IEC 14496-3 §1.6.2.1).
        let configuration = [0x2B, UInt8(0x82 | channels << 3), 0x08, 0x00]
        let bytes = MP4Boxes.File(
            entry: MP4Boxes.aac(configuration),
            tables: MP4Boxes.full("stts", one, count, MP4Boxes.number(2048, 4))
                + MP4Boxes.full("stsc", one, one, count, one)
                + MP4Boxes.full("stsz", MP4Boxes.number(0, 4), count, sizes)
                + MP4Boxes.full("stco", one, MP4Boxes.number(24, 4)),
            data: units.flatMap { $0 }
        ).bytes
        let stream = try AudioStreams.scan(bytes.span.bytes) { _ in }
        #expect(stream.sampleRateHz == 44_100 && stream.sampleCount == units.count * 2048)
        let decoded = try DecodedSound(bytes)
        let theirs = try reference(bytes)
        #expect(decoded.result == DecodedAudio())
        // A mono core may have parametric stereo in any unit, so libavcodec always gives two channels.
        #expect(
            decoded.channels.map(\.count) == [Int](repeating: units.count * 2048, count: 2)
                && theirs.count == 2 * units.count * 2048)
        let isSame = decoded.channels.enumerated().allSatisfy { channel, samples in
            samples.enumerated().allSatisfy {
                abs($0.element - theirs[$0.offset * 2 + channel]) < 1e-6
            }
        }
        #expect(isSame && theirs.contains { abs($0) > 0.1 })
        let description = try analysis(bytes).stream
        #expect(description.samplesPerFrame == 2048 && description.sampleRateHz == 44_100)
    }

    @Test(
        "HE-AAC of a real encoder has its exact length, and ffmpeg's samples", arguments: HEAACFile.allCases)
    func encodedBandReplication(file: HEAACFile) throws {
        let bytes = try file.bytes
        let stream = try AudioStreams.scan(bytes.span.bytes) { _ in }
        #expect(stream.sampleRateHz == 44_100 && stream.sampleCount == HEAACFile.frameCount)
        let decoded = try DecodedSound(bytes)
        #expect(decoded.result == DecodedAudio())
        let theirs = try reference(bytes)
        try #require(decoded.channels.map(\.count) == [HEAACFile.frameCount, HEAACFile.frameCount])
        try #require(theirs.count >= 2 * (file.delay + HEAACFile.frameCount))
        let isSame = decoded.channels.enumerated().allSatisfy { channel, samples in
            samples.enumerated().allSatisfy {
                abs($0.element - theirs[(file.delay + $0.offset) * 2 + channel]) < 1e-6
            }
        }
        #expect(isSame && theirs.contains { abs($0) > 0.1 })
        let description = try analysis(bytes).stream
        #expect(description.encoderDelaySamples == file.delay && description.samplesPerFrame == 2048)
        #expect(description.damagedFrameCount == 0 && description.remarks.isEmpty)
    }

    @Test("HE-AAC that only decoding shows is heard whole at its doubled rate", arguments: HEAACFile.allCases)
    func implicitBandReplication(file: HEAACFile) throws {
        let explicit = try directory.write(file.bytes, as: "explicit.m4a")
        // Headers of ADTS do not state the extension; without an edit list all of it is played.
        try ProcessRun.run(
            "ffmpeg", ["-v", "error", "-i", explicit, "-c", "copy", directory.file("bare.aac")])
        try ProcessRun.run(
            "ffmpeg",
            [
                "-v", "error", "-i", directory.file("bare.aac"), "-c", "copy", "-use_editlist", "0",
                directory.file("implicit.m4a"),
            ])
        let bytes = try directory.read("implicit.m4a")
        let stream = try AudioStreams.scan(bytes.span.bytes) { _ in }
        let decoded = try DecodedSound(bytes)
        let theirs = try reference(bytes)
        #expect(stream.sampleRateHz == 44_100 && stream.sampleCount == theirs.count / 2)
        try #require(decoded.channels.map(\.count) == [theirs.count / 2, theirs.count / 2])
        let isSame = decoded.channels.enumerated().allSatisfy { channel, samples in
            samples.enumerated().allSatisfy { abs($0.element - theirs[$0.offset * 2 + channel]) < 1e-6 }
        }
        #expect(isSame)
    }

    @Test("The description has the exact length, the bit depth and the delay")
    func description() throws {
        let sound = IntegerSound.tones(frameCount: 100_001, sampleRate: 48_000)
        let aac = try analysis(sound.mp4(["-c:a", "aac"])).stream
        #expect(aac.format == .aac && aac.bitDepth == nil && aac.mpegVersion == nil)
        #expect(aac.sampleCount == 100_001 && aac.encoderDelaySamples == 1024 && aac.samplesPerFrame == 1024)
        #expect(aac.decodedSampleCount == aac.frameCount * 1024)
        #expect(aac.encoderPaddingSamples == aac.decodedSampleCount - 1024 - 100_001)
        #expect(aac.bitRateMode == "variable" && aac.remarks.isEmpty && aac.damagedFrameCount == 0)
        let alac = try analysis(sound.mp4(["-c:a", "alac"])).stream
        #expect(alac.format == .alac && alac.bitDepth == 16 && alac.bitRateMode == "lossless")
        #expect(alac.sampleCount == 100_001 && alac.decodedSampleCount == 100_001 && alac.remarks.isEmpty)
    }

    @Test("Measurements of ALAC equal those of the same samples in FLAC", arguments: [2, 6])
    func loudness(channels: Int) throws {
        let sound = IntegerSound.tones(frameCount: 300_000, sampleRate: 48_000, channelCount: channels)
        let alac = try analysis(sound.mp4(["-c:a", "alac"]))
        let flac = try analysis(sound.flac())
        #expect(alac.profile == flac.profile && alac.audioHash != flac.audioHash)
    }

    @Test("Renamed files are recognised by their content, and metadata does not change the hash")
    func hash() throws {
        let sound = IntegerSound.tones(frameCount: 100_000)
        for codec in ["aac", "alac"] {
            let plain = try sound.mp4(["-c:a", codec])
            let first = try analysis(plain)
            let path = try directory.write(plain, as: "plain.m4a")
            for options in [
                ["-metadata", "title=A long title", "-metadata", "artist=Somebody"],
                ["-movflags", "+faststart"],
            ] {
                try ProcessRun.run(
                    "ffmpeg",
                    ["-v", "error", "-y", "-i", path, "-c", "copy"] + options + [directory.file("tagged.m4a")]
                )
                #expect(try analysis(directory.read("tagged.m4a")).audioHash == first.audioHash)
            }
            let named = try file(plain, "song.mp3")
            #expect(try PlayableAudio(checking: named).format.rawValue == codec)
        }
    }

    @Test("Damaged access units are measured as silence and reported")
    func damage() throws {
        var bytes = try IntegerSound.tones(frameCount: 100_000).mp4(["-c:a", "alac"])
        let sound = try DecodedSound(bytes).channels
        let stream = try #require(AudioStreams.scan(bytes.span.bytes) { _ in } as? MP4File).stream
        let unit = stream.index.units[5]
        for place in unit.range { bytes[place] = 0xFF }
        let decoded = try DecodedSound(bytes)
        #expect(decoded.result.damagedFrames == 1)
        #expect(decoded.channels.map(\.count) == sound.map(\.count))
        let differing = (0..<100_000).filter { decoded.channels[0][$0] != sound[0][$0] }
        #expect(try #require(differing.first) >= unit.startSample)
        #expect(try #require(differing.last) < unit.startSample + unit.sampleCount)
        #expect(try analysis(bytes).stream.remarks == ["1 frame is damaged and was measured as silence"])
    }

    @Test(
        "Truncated files are measured as far as they go, but are no complete upload; without an index they are errors"
    )
    func truncated() throws {
        let sound = IntegerSound.tones(frameCount: 200_000)
        let front = try sound.mp4(["-c:a", "aac", "-movflags", "+faststart"])
        let cut = Array(front[..<(front.count * 2 / 3)])
        let short = try analysis(cut).stream
        #expect((100_000..<160_000).contains(short.sampleCount))
        #expect(short.remarks.first?.hasPrefix("the file ends before its audio: ") == true)
        let upload = try file(cut)
        #expect(
            #expect(throws: AnalyzerError.self) { try PlayableAudio(checking: upload) }?.code == .truncated)
        let atEnd = try sound.mp4(["-c:a", "aac"])
        let error = #expect(throws: AnalyzerError.self) { try analysis(Array(atEnd.dropLast(2000))) }
        #expect(error?.code == .truncated && error?.message.contains("moov") == true)
        var encrypted = atEnd
        let place = try #require(encrypted.firstRange(of: Array("mp4a".utf8)))
        encrypted.replaceSubrange(place, with: Array("drms".utf8))
        #expect(#expect(throws: AnalyzerError.self) { try analysis(encrypted) }?.code == .encrypted)
    }

    @Test("Low-frequency effects and the order of six channels are those of the loudspeakers")
    func surround() throws {
        let constant = [Int32](repeating: 16_384, count: 9_000)
        for loud in 0..<6 {
            let sound = IntegerSound(
                sampleRate: 48_000,
                channels: (0..<6).map { $0 == loud ? constant : [Int32](repeating: 0, count: 9_000) },
                bitDepth: 16)
            let alac = try DecodedSound(sound.mp4(["-c:a", "alac"])).stereo
            let flac = try DecodedSound(sound.flac()).stereo
            #expect(alac == flac)
        }
        let aac = try IntegerSound.tones(frameCount: 9_000, sampleRate: 48_000, channelCount: 6).mp4([
            "-c:a", "aac",
        ])
        let stream = try AudioStreams.scan(aac.span.bytes) { _ in }
        #expect(stream.channelWeights == [1, 1, 1, 0, 1.41, 1.41])
    }
}

extension IntegerSound {
    /// The name of the channels' layout that ffmpeg's encoder of ALAC takes.
    fileprivate var alacLayout: String? { [4: "4.0", 5: "5.0", 6: "5.1"][channels.count] }

}
