import AudioFrames
import Foundation
import TestSupport
import Testing

@testable import MP4Audio

/// Checks that scans of damaged files finish without a trap and with valid results.
///
/// Mutation *n* depends only on *n*. `FUZZ_MUTATIONS` sets how many are tried, `FUZZ_FIRST` the first.
@Suite("Damaged MP4 files")
struct MP4FuzzTests {
    private static func setting(_ name: String, default value: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? value
    }

    private static func originals() throws -> [[UInt8]] {
        let sound = IntegerSound.tones(frameCount: 12_000)
        let fragments = ["-movflags", "frag_keyframe+empty_moov", "-frag_duration", "50000"]
        let moved = ["-movflags", "frag_keyframe+delay_moov+default_base_moof", "-frag_duration", "50000"]
        let alac = IntegerSound.tones(frameCount: 9_000, sampleRate: 8_000, channelCount: 1)
        return try [
            sound.mp4(["-c:a", "aac", "-b:a", "32k"]),
            sound.mp4(["-c:a", "aac", "-b:a", "32k", "-movflags", "+faststart"]),
            sound.mp4(["-c:a", "aac", "-b:a", "32k"] + fragments),
            sound.mp4(["-c:a", "aac", "-b:a", "32k"] + moved), alac.mp4(["-c:a", "alac"]),
        ]
    }

    @Test("Scans of damaged files keep their promises")
    func scans() throws {
        let originals = try Self.originals()
        let structures = originals.map(Self.boxes)
        let first = Self.setting("FUZZ_FIRST", default: 0)
        let count = Self.setting("FUZZ_MUTATIONS", default: 20_000)
        var accepted = 0
        for n in first..<first + count {
            var random = SeededGenerator(seed: UInt64(n))
            let choice = Int.random(in: 0..<originals.count, using: &random)
            var bytes = originals[choice]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                Self.damage(&bytes, structures[choice], &random)
                if bytes.count > 100_000 { bytes.removeLast(bytes.count - 100_000) }
            }
            do {
                let stream = try MP4AudioStream.scan(bytes.span.bytes)
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
        #expect(accepted > count / 3)
    }

    @Test("Damaged index blobs are rejected or consistent")
    func blobs() throws {
        let blobs = try Self.originals().map { try MP4AudioStream.scan($0.span.bytes).index.encoded() }
        for n in 0..<Self.setting("FUZZ_MUTATIONS", default: 20_000) {
            var random = SeededGenerator(seed: UInt64(n))
            var damaged = blobs[n % blobs.count]
            if n % 5 == 0 { damaged.removeLast(Int.random(in: 0...damaged.count, using: &random)) }
            for _ in 0..<3 where !damaged.isEmpty {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                damaged[place] ^= UInt8.random(in: 1...255, using: &random)
            }
            do {
                let index = try MP4AudioIndex(decoding: damaged)
                #expect(index.played.upperBound <= index.units.sampleCount)
                guard index.units.count > 0 else { continue }
                let last = index.units[index.units.count - 1]
                #expect(last.startSample + last.sampleCount == index.units.sampleCount)
                #expect(index.encoded().count <= damaged.count)
            } catch {
                #expect(error.code == .malformedIndex)
            }
        }
    }

    /// Positions of the headers of all boxes.
    private static func boxes(_ bytes: [UInt8]) -> [Int] {
        var found: [Int] = []
        func walk(_ range: Range<Int>) {
            MP4Box.forEach(bytes.span.bytes, in: range) { box in
                found.append(box.range.lowerBound)
                if ["moov", "trak", "mdia", "minf", "stbl", "edts", "moof", "traf", "mvex", "udta"].contains(
                    box.type)
                {
                    walk(box.contents)
                }
                if box.type == "stsd" { walk(box.start + 8..<box.range.upperBound) }
                return true
            }
        }
        walk(0..<bytes.count)
        return found
    }

    private static func damage(_ bytes: inout [UInt8], _ boxes: [Int], _ random: inout SeededGenerator) {
        let length = Int.random(in: 1...(1 << Int.random(in: 1...10, using: &random)), using: &random)
        let position = Int.random(in: 0...bytes.count, using: &random)
        let box = min(bytes.count, boxes[Int.random(in: 0..<boxes.count, using: &random)])
        let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        let extremes: [UInt8] = [0, 1, 2, 7, 8, 16, 0x7F, 0x80, 0xFF]
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1:
            // Sizes and types of boxes.
            let place = box + Int.random(in: 0..<8, using: &random)
            if place < bytes.count {
                bytes[place] = extremes[Int.random(in: 0..<extremes.count, using: &random)]
            }
        case 2, 3, 4:
            // The first fields of boxes: versions, flags, counts, scales.
            let place = box + 8 + Int.random(in: 0..<40, using: &random)
            if place < bytes.count {
                bytes[place] = extremes[Int.random(in: 0..<extremes.count, using: &random)]
            }
        case 5:
            let place = box + 8 + Int.random(in: 0..<24, using: &random)
            for i in place..<place + 4 where i < bytes.count { bytes[i] = 0xFF }
        case 6:
            for (i, byte) in noise.enumerated() where position + i < bytes.count {
                bytes[position + i] = byte
            }
        case 7: bytes.removeLast(min(bytes.count, length))
        case 8: bytes.insert(contentsOf: noise, at: position)
        case 9: bytes.removeSubrange(position..<min(bytes.count, position + length))
        case 10:
            // A box is repeated.
            bytes.insert(contentsOf: bytes[box..<min(bytes.count, box + length)], at: box)
        default: bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
        }
    }

    private static func violation(in stream: MP4AudioStream, _ bytes: [UInt8]) -> String? {
        let (index, payload) = (stream.index, stream.payload)
        guard index.units.count > 0, payload.upperBound <= bytes.count, payload.lowerBound >= 0 else {
            return "payload"
        }
        guard index.units.byteCount <= bytes.count else { return "more bytes than the file has" }
        var sample = 0
        var range = Int.max..<Int.max
        for place in 0..<index.units.count {
            let unit = index.units[place]
            if unit.range.isEmpty || unit.range.clamped(to: payload) != unit.range {
                return "unit \(place) is outside"
            }
            if unit.startSample != sample || unit.sampleCount < 1 { return "unit \(place) has a wrong time" }
            sample += unit.sampleCount
            range =
                min(
                    range.lowerBound, unit.range.lowerBound)..<max(
                    place == 0 ? 0 : range.upperBound, unit.range.upperBound)
        }
        guard range == payload, sample == index.units.sampleCount else { return "length" }
        guard index.played.clamped(to: 0..<sample) == index.played else { return "timeline" }
        do {
            let stored = try MP4AudioIndex(decoding: index.encoded(), start: payload.lowerBound)
            return stored == index ? nil : "stored index"
        } catch {
            return "\(error)"
        }
    }
}
