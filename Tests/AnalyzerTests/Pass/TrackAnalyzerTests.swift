import Foundation
import MPEGAudio
import TestSupport
import Testing

@testable import Analyzer

/// Passes over a file's audio.
@Suite("Track analyzer")
struct TrackAnalyzerTests {
    private static let music = Result { try Encoders.lame(PCM.music(frameCount: 44_100 * 20), ["-V", "4"]) }

    private let directory: TemporaryDirectory
    private let music: [UInt8]

    init() throws {
        directory = try TemporaryDirectory()
        music = try Self.music.get()
    }

    private func file(_ bytes: [UInt8]) throws -> MappedFile {
        try MappedFile(path: Array(directory.write(bytes, as: UUID().uuidString).utf8))
    }

    private func analysis(_ bytes: [UInt8], _ parts: AnalysisParts = .all) throws -> (
        TrackAnalysis, offset: Int
    ) {
        let outcome = try TrackAnalyzer().analyze(file(bytes)) { _ in parts }
        guard case .analyzed(let analysis, let offset) = outcome else {
            throw AnalyzerError(.noAudio, "no analysis")
        }
        return (analysis, offset)
    }

    /// Returns an ID3v2 tag that consists of padding.
    private func tag(_ size: Int) -> [UInt8] {
        Array("ID3".utf8) + [4, 0, 0] + [21, 14, 7, 0].map { UInt8(size >> $0 & 127) }
            + [UInt8](repeating: 0, count: size)
    }

    @Test("The analysis depends only on the audio: tags and junk around it change nothing")
    func audioAlone() throws {
        let plain = try analysis(music)
        let random = SeededGenerator(seed: 3)
        for (before, after) in [
            (tag(1_000), []), (tag(70_000), [UInt8]("TAG".utf8) + [UInt8](repeating: 0, count: 125)),
            (tag(10) + tag(300), []), (junk(5_000, random), junk(3_000, random)),
        ] {
            let (tagged, offset) = try analysis(before + music + after)
            #expect(tagged == plain.0)
            #expect(offset == before.count + plain.offset)
        }
    }

    @Test("Spooled frames equal those kept in memory; no file is left behind")
    func longTrack() throws {
        let unit = try Encoders.lame(
            PCM.music(frameCount: 8_000 * 60, sampleRate: 8_000, channelCount: 1), ["-b", "8", "-t"])
        let long = try file(Array([[UInt8]](repeating: unit, count: 11).joined()))
        let spools = try TemporaryDirectory()
        func frames(_ folder: String?) throws -> MeasuredSpectra? {
            let analyzer = TrackAnalyzer(spoolFolder: folder)
            guard case .analyzed(let analysis, _) = try analyzer.analyze(long, neededParts: { _ in .frames })
            else { return nil }
            return analysis.frames
        }
        let kept = try #require(try frames(nil))
        let spooled = try #require(try frames(spools.path))
        #expect(kept.spooledCount == 0)
        #expect(
            spooled.spooledCount == kept.levelCount / MeasuredSpectra.blockSize * MeasuredSpectra.blockSize)
        #expect(spooled == kept)
        #expect(try spooled.inMemory().levels == kept.inMemory().levels)
        #expect(try FileManager.default.contentsOfDirectory(atPath: spools.path).isEmpty)
        // A missing folder.
        let elsewhere = try #require(try frames(spools.file("nothing/here")))
        #expect(elsewhere == kept && elsewhere.spooledCount == 0)
    }

    @Test("The stored frame index, moved to the payload, matches the file")
    func frameIndex() throws {
        let bytes = tag(12_345) + music
        let (analysis, offset) = try analysis(bytes)
        let stored = try FrameIndex(decoding: analysis.stream.frameIndex).moved(by: offset)
        #expect(try stored == MPEGAudioStream.scan(bytes.span.bytes).index)
        #expect(stored.count == analysis.stream.frameCount)
        for frame in [0, 1, stored.count - 1] {
            #expect(bytes[stored[frame].offset] == 0xFF && bytes[stored[frame].offset + 1] & 0xE0 == 0xE0)
        }
    }

    @Test("Parts computed separately equal those of a complete pass")
    func parts() throws {
        let whole = try analysis(music).0
        let (profile, frames) = (try analysis(music, .profile).0, try analysis(music, .frames).0)
        #expect(profile.frames == nil && profile.profile == whole.profile)
        #expect(frames.profile == nil && frames.frames == whole.frames)
        #expect(profile.stream == whole.stream && frames.stream == whole.stream)
        #expect(whole.frames?.frameCount == Int((whole.stream.durationSeconds * 30).rounded(.up)))
    }

    @Test("Known audio is not decoded")
    func known() throws {
        let hash = try analysis(music).0.audioHash
        let outcome = try TrackAnalyzer(isCancelled: { true }).analyze(file(tag(50) + music)) { _ in [] }
        guard case .known(let found, _) = outcome else {
            Issue.record("known audio was decoded")
            return
        }
        #expect(found == hash)
    }

    private static let hasXXHSum =
        (try? ProcessRun.run("xxhsum", ["--version"], mustSucceed: false).status) == 0

    @Test(
        "The hash is XXH3 of the payload, whatever its length",
        .enabled(if: hasXXHSum, "xxhsum (Debian package xxhash) is not installed"),
        arguments: [0, 10, 4 << 20, 4 << 20 + 1, 11 << 20])
    func hash(size: Int) throws {
        let bytes = junk(size, SeededGenerator(seed: 8))
        let path = try directory.write(bytes, as: "payload")
        let tool = try ProcessRun.run("xxhsum", ["-H2", "-q", path])
        #expect(AudioHash(of: bytes.span.bytes).description == tool.text.prefix(32))
    }

    @Test("A file truncated during the pass is reported as changed, not as without music")
    func cut() throws {
        let path = try directory.write(music, as: "a.mp3")
        let file = try MappedFile(path: Array(path.utf8))
        truncate(path, 0)
        let error = #expect(throws: AnalyzerError.self) { try TrackAnalyzer().analyze(file) }
        #expect(error?.code == .fileChanged)
    }

    @Test("The memory of a long file is released during the scan and the hash")
    func release() throws {
        let unit = try Encoders.lame(PCM.music(frameCount: 44_100 * 10), ["-b", "320", "-t"])
        let bytes = Array([[UInt8]](repeating: unit, count: 50).joined())
        var passed: [Int] = []
        let stream = try MPEGAudioStream.scan(bytes.span.bytes) { passed.append($0) }
        #expect(passed == passed.sorted() && passed.count >= bytes.count >> 22 - 1)
        #expect(try stream == MPEGAudioStream.scan(bytes.span.bytes))
        #expect(stream.index.count == 50 * (try MPEGAudioStream.scan(unit.span.bytes).index.count))
        var hashed: [Int] = []
        _ = AudioHash(of: bytes.span.bytes, in: stream.payload) { hashed.append($0) }
        #expect(hashed.last == stream.payload.upperBound)
    }

    private func junk(_ count: Int, _ generator: SeededGenerator) -> [UInt8] {
        var generator = generator
        // Cannot contain a sync pattern.
        return (0..<count).map { _ in UInt8.random(in: 0..<0xF0, using: &generator) }
    }
}
