import AudioFrames
import Foundation
import TestSupport
import Testing

@testable import FLACAudio

/// Checks that scans of damaged files finish without a trap and with valid results.
///
/// Mutation *n* depends only on *n*. `FUZZ_MUTATIONS` sets how many are tried, `FUZZ_FIRST` the first.
@Suite("Damaged FLAC files")
struct FLACFuzzTests {
    private static func setting(_ name: String, default value: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? value
    }

    @Test("Scans of damaged files keep their promises")
    func scans() throws {
        let originals = try [
            IntegerSound.tones(frameCount: 20_000).flac(["-b", "1152"]),
            IntegerSound.tones(frameCount: 9_000, sampleRate: 8_000, channelCount: 1).flac(["-b", "192"]),
            IntegerSound.tones(frameCount: 6_000, sampleRate: 96_000, channelCount: 6, bitDepth: 24).flac(),
            IntegerSound.tones(frameCount: 4_000, bitDepth: 8).flac(["-b", "16", "-0"]),
        ]
        let frames = try originals.map { bytes in
            let index = try FLACAudioStream.scan(bytes.span.bytes).index
            return (0..<index.count).map { index[$0].range.lowerBound }
        }
        let first = Self.setting("FUZZ_FIRST", default: 0)
        let count = Self.setting("FUZZ_MUTATIONS", default: 3000)
        var accepted = 0
        for n in first..<first + count {
            var random = SeededGenerator(seed: UInt64(n))
            let choice = Int.random(in: 0..<originals.count, using: &random)
            var bytes = originals[choice]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                Self.damage(&bytes, frames[choice], originals, &random)
                if bytes.count > 200_000 { bytes.removeLast(bytes.count - 200_000) }
            }
            do {
                let stream = try FLACAudioStream.scan(bytes.span.bytes)
                accepted += 1
                if let violation = Self.violation(in: stream, bytes) {
                    Issue.record("mutation \(n): \(violation)")
                    return
                }
            } catch {
                #expect(!error.message.isEmpty)
            }
            // If a trap ends the run, the last line printed shows where to start with FUZZ_FIRST.
            if n % 50_000 == 49_999 { FileHandle.standardError.write(Data("mutation \(n + 1)\n".utf8)) }
        }
        // If most files were rejected, the test would check little.
        #expect(accepted > count / 2)
    }

    @Test("Damaged files that arrive in pieces end without a trap, and frames lie within them")
    func pieces() throws {
        let originals = try [
            IntegerSound.tones(frameCount: 20_000).flac(["-b", "1152"]),
            IntegerSound.tones(frameCount: 6_000, sampleRate: 96_000, channelCount: 6, bitDepth: 24).flac(),
            IntegerSound.tones(frameCount: 4_000, bitDepth: 8).flac(["-b", "16", "-0"]),
        ]
        let frames = try originals.map { bytes in
            let index = try FLACAudioStream.scan(bytes.span.bytes).index
            return (0..<index.count).map { index[$0].range.lowerBound }
        }
        let first = Self.setting("FUZZ_FIRST", default: 0)
        var count = 0
        for n in first..<first + Self.setting("FUZZ_MUTATIONS", default: 3000) {
            var random = SeededGenerator(seed: UInt64(n))
            let choice = Int.random(in: 0..<originals.count, using: &random)
            var bytes = originals[choice]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                Self.damage(&bytes, frames[choice], originals, &random)
                if bytes.count > 200_000 { bytes.removeLast(bytes.count - 200_000) }
            }
            var feed = FLACFeed()
            var rest = bytes[...]
            var end = 0
            while !rest.isEmpty {
                let size = Int.random(in: 1...40_000, using: &random)
                feed.append(rest.prefix(size))
                rest = rest.dropFirst(size)
                if rest.isEmpty { feed.finish() }
                while let unit = feed.next() {
                    guard case .frame(let frame) = unit else { continue }
                    count += 1
                    let range = frame.offset..<frame.offset + frame.bytes.count
                    guard range.lowerBound >= end, range.upperBound <= bytes.count,
                        frame.bytes == Array(bytes[range])
                    else {
                        Issue.record("mutation \(n): a frame at \(range)")
                        return
                    }
                    end = range.upperBound
                }
            }
        }
        #expect(count > 1000)
    }

    @Test("Damaged index blobs are rejected or consistent")
    func blobs() throws {
        let bytes = try IntegerSound.tones(frameCount: 90_000).flac()
        let blob = try FLACAudioStream.scan(bytes.span.bytes).index.encoded()
        for n in 0..<Self.setting("FUZZ_MUTATIONS", default: 3000) {
            var random = SeededGenerator(seed: UInt64(n))
            var damaged = Array(blob.prefix(Int.random(in: 0...blob.count, using: &random)))
            for _ in 0..<3 where !damaged.isEmpty {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                damaged[place] ^= UInt8.random(in: 1...255, using: &random)
            }
            do {
                let index = try FLACFrameIndex(decoding: damaged)
                guard index.count > 0 else { continue }
                #expect(index[index.count - 1].startSample < index.sampleCount)
                #expect(index.encoded().count <= damaged.count)
            } catch {
                #expect(error.code == .malformedIndex)
            }
        }
    }

    private static func damage(
        _ bytes: inout [UInt8], _ frames: [Int], _ originals: [[UInt8]], _ random: inout SeededGenerator
    ) {
        let length = Int.random(in: 1...(1 << Int.random(in: 1...12, using: &random)), using: &random)
        let position = Int.random(in: 0...bytes.count, using: &random)
        let seam = min(bytes.count, frames[Int.random(in: 0..<frames.count, using: &random)])
        let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        switch Int.random(in: 0..<13, using: &random) {
        case 0, 1:
            let place = seam + Int.random(in: 0..<8, using: &random)
            if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 2:
            for (i, byte) in noise.enumerated() where position + i < bytes.count {
                bytes[position + i] = byte
            }
        case 3: bytes.removeLast(min(bytes.count, length))
        case 4: bytes.removeSubrange(position..<min(bytes.count, position + length))
        case 5: bytes.insert(contentsOf: noise, at: position)
        case 6: bytes.removeSubrange(min(seam, position)..<max(seam, position))
        case 7: bytes += originals[Int.random(in: 0..<originals.count, using: &random)]
        case 8:
            // Headers alone, many of them.
            let header = bytes[seam..<min(bytes.count, seam + 12)]
            bytes.insert(contentsOf: (0..<length % 300).flatMap { _ in header }, at: seam)
        case 9:
            // STREAMINFO and the headers of blocks.
            let place = Int.random(in: 0..<60, using: &random)
            if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
        case 10:
            let size = [14, 7, 0].map { UInt8(truncatingIfNeeded: length >> $0 & 0x7F) }
            bytes = Array("ID3".utf8) + [4, 0, 0, 0] + size + noise + bytes
        case 11: bytes += Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)
        default: bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
        }
    }

    private static func violation(in stream: FLACAudioStream, _ bytes: [UInt8]) -> String? {
        guard stream.index.count > 0, stream.payload.upperBound <= bytes.count else { return "payload" }
        var end = stream.payload.lowerBound
        var sample = 0
        for place in 0..<stream.index.count {
            let frame = stream.index[place]
            let header = FLACFrameHeader(bytes.span.bytes, at: frame.range.lowerBound)
            if frame.range.lowerBound < end || frame.range.upperBound > stream.payload.upperBound {
                return "frame \(place) overlaps or is outside"
            }
            if header?.blockSize != frame.sampleCount || frame.startSample != sample {
                return "frame \(place) contradicts its header"
            }
            end = frame.range.upperBound
            sample += frame.sampleCount
        }
        guard end == stream.payload.upperBound, sample == stream.sampleCount else { return "length" }
        do {
            let stored = try FLACFrameIndex(
                decoding: stream.index.encoded(), start: stream.payload.lowerBound)
            return stored == stream.index ? nil : "stored index"
        } catch {
            return "\(error)"
        }
    }
}
