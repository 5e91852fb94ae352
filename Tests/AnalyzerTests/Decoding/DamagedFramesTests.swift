import Foundation
import MPEGAudio
import TestSupport
import Testing

@testable import Analyzer

/// Frames with damaged bytes but intact headers must not be measured as sound.
@Suite("Damaged frames")
struct DamagedFramesTests {
    private static let seconds = 30
    private static let source = PCM.music(frameCount: 44_100 * seconds)

    /// A file and its frame index.
    private struct File {
        var bytes: [UInt8]
        let index: FrameIndex

        init(_ options: [String]) throws {
            let encoded = try Encoders.lame(DamagedFramesTests.source, options)
            bytes = encoded
            index = try MPEGAudioStream.scan(encoded.span.bytes).index
        }

        /// Returns the range of a frame's side information.
        func sideInformation(_ frame: Int) throws -> Range<Int> {
            let found = MPEGFrameHeader(bytes.span.bytes, at: index[frame].offset)
            let header = try #require(found)
            let end = index[frame].offset + header.overheadLength
            return end - header.sideInformationLength..<end
        }

        /// Raises the gains of a frame in steps of 1.5 dB.
        mutating func raise(_ frame: Int, steps: Int) throws {
            let offset = index[frame].offset
            var span = bytes.mutableSpan
            var raw = span.mutableBytes
            try GainChange(steps: steps).apply(to: &raw, frameAt: offset)
        }

        /// Returns frames distributed over the file.
        func some(_ count: Int) -> [Int] { (0..<count).map { 20 + $0 * (index.count - 40) / count } }
    }

    private func analysis(_ bytes: [UInt8]) throws -> TrackAnalysis {
        let directory = try TemporaryDirectory()
        let file = try MappedFile(path: Array(directory.write(bytes, as: "file.mp3").utf8))
        guard case .analyzed(let analysis, _) = try TrackAnalyzer().analyze(file) else {
            throw AnalyzerError(.noAudio, "no analysis")
        }
        return analysis
    }

    private func levels(_ bytes: [UInt8]) throws -> (loudness: Double, truePeak: Double, damaged: Int) {
        let analysis = try analysis(bytes)
        let loudness = try #require(analysis.profile?.loudness)
        return (
            try #require(loudness.integratedLUFS), try #require(loudness.truePeakDBTP),
            try #require(analysis.stream.damagedFrameCount)
        )
    }

    @Test(
        "Random side information changes the loudness by no more than silence in its place",
        arguments: [
            ["-b", "128"], ["-V", "2"], ["-b", "64", "-m", "m"], ["-b", "64", "--resample", "22.05"],
        ],
        [20, 100])
    func randomSideInformation(options: [String], count: Int) throws {
        var file = try File(options)
        let clean = try levels(file.bytes)
        var random = SeededGenerator(seed: UInt64(count))
        for frame in file.some(count) {
            for position in try file.sideInformation(frame) {
                file.bytes[position] = .random(in: 0...255, using: &random)
            }
        }
        let damaged = try levels(file.bytes)
        // At most a tenth of the sound is missing, and some of the damaged frames decode to noise within full scale.
        #expect(abs(damaged.loudness - clean.loudness) <= 1.5, "\(clean) \(damaged)")
        #expect(damaged.truePeak <= 12.1)
        #expect(damaged.damaged >= count / 2 && damaged.damaged <= 2 * count, "\(damaged.damaged)")
        #expect(clean.damaged == 0)
    }

    @Test(
        "Frames with only their gains raised far above the others are silent, and do not affect the next frame"
    )
    func raisedGains() throws {
        var file = try File(["-b", "128"])
        let clean = try DecodedStream(decoding: file.bytes)
        let frames = file.some(20)
        for frame in frames {
            try file.raise(frame, steps: 40)
        }
        let found = try DecodedStream(decoding: file.bytes)
        #expect(found.damagedFrames == frames.count)
        #expect(found.count == clean.count)
        for channel in found.channels { #expect(channel.allSatisfy { abs($0) <= 4 }) }
        // From the second frame after each, everything is unchanged; the head trim is less than a frame.
        for (frame, next) in zip(frames, frames.dropFirst()) {
            #expect(found.largestDifference(to: clean, in: (frame + 2) * 1152..<(next - 2) * 1152) <= 1e-6)
        }
    }

    @Test("A stream that is 24 dB too loud throughout is not damaged")
    func loudThroughout() throws {
        var file = try File(["-b", "192"])
        let clean = try levels(file.bytes)
        for frame in 0..<file.index.count {
            try file.raise(frame, steps: 16)
        }
        let raised = try levels(file.bytes)
        #expect(raised.damaged == 0)
        #expect(abs(raised.loudness - clean.loudness - 16 * GlobalGain.decibelsPerStep) <= 0.01)
    }

    @Test("Nothing above +36 dBFS is measured, even if all frames are that loud")
    func impossibleThroughout() throws {
        var file = try File(["-b", "128"])
        for frame in 0..<file.index.count {
            try? file.raise(frame, steps: 60)
        }
        let analysis = try analysis(file.bytes)
        let peak = try #require(analysis.profile?.loudness.samplePeak)
        #expect(peak <= 64)
        #expect(try #require(analysis.stream.damagedFrameCount) > file.index.count / 2)
    }

    @Test(
        "A wrong CRC silences a frame if those of the other frames are correct, and is ignored if all are wrong"
    )
    func checksums() throws {
        var file = try File(["-b", "128", "-p"])
        let clean = try DecodedStream(decoding: file.bytes)
        #expect(clean.damagedFrames == 0)
        let whole = file.bytes
        let frames = file.some(10)
        for frame in frames { file.bytes[file.index[frame].offset + 4] ^= 0x10 }
        #expect(try DecodedStream(decoding: file.bytes).damagedFrames == frames.count)

        file.bytes = whole
        for frame in 0..<file.index.count { file.bytes[file.index[frame].offset + 4] ^= 0x10 }
        let wrong = try DecodedStream(decoding: file.bytes)
        #expect(wrong.damagedFrames == 0 && wrong.channels == clean.channels)
    }
}
