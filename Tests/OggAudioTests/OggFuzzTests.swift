import AudioFrames
import Foundation
import TestSupport
import Testing

@testable import OggAudio

/// Checks that scans of damaged files finish without a trap and with valid results.
///
/// Mutation *n* depends only on *n*. `FUZZ_MUTATIONS` sets how many are tried, `FUZZ_FIRST` the first.
@Suite("Damaged Ogg files")
struct OggFuzzTests {
    private static func setting(_ name: String, default value: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? value
    }

    private static func originals() throws -> [[UInt8]] {
        let one = try IntegerSound.tones(frameCount: 60_000, sampleRate: 48_000).opus()
        let two = try IntegerSound.tones(frameCount: 40_000, sampleRate: 44_100, channelCount: 1).vorbis()
        return [
            one, two, one + one, two + two,
            try IntegerSound.tones(frameCount: 9_000, sampleRate: 48_000, channelCount: 6).opus([
                "--framesize", "2.5", "--comment", "X=" + String(repeating: "y", count: 70_000),
            ]),
            try IntegerSound.tones(frameCount: 9_000, sampleRate: 96_000, channelCount: 3).vorbis(["-q", "9"]
            ),
        ]
    }

    @Test("Scans of damaged files keep their promises")
    func scans() throws {
        let originals = try Self.originals()
        let first = Self.setting("FUZZ_FIRST", default: 0)
        let count = Self.setting("FUZZ_MUTATIONS", default: 20_000)
        var accepted = 0
        for n in first..<first + count {
            var random = SeededGenerator(seed: UInt64(n))
            let bytes = Self.damaged(originals, &random)
            do {
                let stream = try OggAudioStream.scan(bytes.span.bytes)
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

    @Test("Damaged files that arrive in pieces give the packets that a scan finds")
    func pieces() throws {
        let originals = try Self.originals()
        let first = Self.setting("FUZZ_FIRST", default: 0)
        var compared = 0
        for n in first..<first + Self.setting("FUZZ_MUTATIONS", default: 20_000) / 4 {
            var random = SeededGenerator(seed: UInt64(n))
            let bytes = Self.damaged(originals, &random)
            var feed = OggFeed()
            var rest = bytes[...]
            var packets: [OggFeed.Packet] = []
            while !rest.isEmpty {
                let size = Int.random(in: 1...60_000, using: &random)
                feed.append(rest.prefix(size))
                rest = rest.dropFirst(size)
                if rest.isEmpty { feed.finish() }
                while let unit = feed.next() { if case .packet(let packet) = unit { packets.append(packet) } }
            }
            for packet in packets
            where packet.played.upperBound > packet.duration || packet.startSample < 0 {
                Issue.record("mutation \(n): a packet with \(packet.played) of \(packet.duration)")
                return
            }
            // A wrong page that another follows is passed as a whole by a scan, which sees all bytes.
            guard let stream = try? OggAudioStream.scan(bytes.span.bytes),
                stream.diagnostics.damagedPageCount == 0, !stream.diagnostics.hasLeadingID3v2
            else { continue }
            compared += 1
            let own = (0..<stream.index.packets.count).map {
                stream.index.packets[$0].bytes(of: bytes.span.bytes)
            }
            // Pages without a position let a scan drop samples of pages that were already passed on here.
            let played = packets.reduce(0) { $0 + $1.played.count }
            guard packets.map(\.bytes) == own, played >= stream.sampleCount else {
                Issue.record(
                    "mutation \(n): \(packets.count) packets of \(own.count), \(played) samples of \(stream.sampleCount)"
                )
                return
            }
        }
        #expect(compared > 100)
    }

    @Test("Damaged index blobs are rejected or consistent")
    func blobs() throws {
        let blobs = try Self.originals().map { try OggAudioStream.scan($0.span.bytes).index.encoded() }
        for n in 0..<Self.setting("FUZZ_MUTATIONS", default: 20_000) {
            var random = SeededGenerator(seed: UInt64(n))
            let blob = blobs[n % blobs.count]
            var damaged = blob
            if n % 3 == 0 { damaged.removeLast(Int.random(in: 0...blob.count, using: &random)) }
            for _ in 0..<3 where !damaged.isEmpty {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                damaged[place] ^= UInt8.random(in: 1...255, using: &random)
            }
            do {
                let index = try OggPacketIndex(decoding: damaged)
                var end = 0
                index.packets.forEach { packet in
                    for range in packet.ranges {
                        #expect(range.lowerBound >= end && !range.isEmpty)
                        end = range.upperBound
                    }
                    return true
                }
                #expect(index.sampleCount <= index.packets.sampleCount)
                #expect(index.encoded().count <= damaged.count)
            } catch {
                #expect(error.code == .malformedIndex)
            }
        }
    }

    @Test("Files of false pages take time in proportion to their size")
    func falsePages() {
        // Headers whose bodies reach over all that follow, and whose checksums are wrong.
        let header = Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [2, 255, 255]
        let bytes = [[UInt8]](repeating: header, count: 300_000).flatMap { $0 }
        let time = ProcessorTime.measure {
            #expect(throws: AudioFormatError.self) { try OggAudioStream.scan(bytes.span.bytes) }
        }
        #expect(time < .seconds(5))
    }

    // MARK: - Damage

    private static func damaged(_ originals: [[UInt8]], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = originals[Int.random(in: 0..<originals.count, using: &random)]
        // Damage with right checksums reaches the code behind them.
        if Bool.random(using: &random) {
            var pages = OggTestPage.pages(of: bytes)
            for _ in 0..<Int.random(in: 1...3, using: &random) where !pages.isEmpty {
                damagePages(&pages, &random)
            }
            bytes = OggTestPage.file(pages)
            if Bool.random(using: &random) { return bytes }
        }
        for _ in 0..<Int.random(in: 1...4, using: &random) { damageBytes(&bytes, originals, &random) }
        return bytes
    }

    private static func damagePages(_ pages: inout [OggTestPage], _ random: inout SeededGenerator) {
        let place = Int.random(in: 0..<pages.count, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: pages[place].flags ^= 1 << UInt8.random(in: 0..<3, using: &random)
        case 1: pages[place].granule = Int64.random(in: .min ... .max, using: &random)
        case 2: pages[place].granule += Int64.random(in: -5000...5000, using: &random)
        case 3: pages[place].serial = UInt32.random(in: 0...3, using: &random)
        case 4: pages[place].sequence = UInt32.random(in: 0...UInt32.max, using: &random)
        case 5: pages.remove(at: place)
        case 6: pages.swapAt(place, Int.random(in: 0..<pages.count, using: &random))
        case 7: pages.insert(pages[place], at: Int.random(in: 0...pages.count, using: &random))
        case 8:
            // Packets of other sizes: the body stays as long as the segments say.
            pages[place].segments = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let size = pages[place].segments.reduce(0) { $0 + Int($1) }
            pages[place].body = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
        default:
            // Headers, modes and first bytes of packets.
            guard !pages[place].body.isEmpty else { return }
            let limit = min(pages[place].body.count, 1 << Int.random(in: 0...13, using: &random))
            pages[place].body[Int.random(in: 0..<limit, using: &random)] = UInt8.random(
                in: 0...255, using: &random)
        }
    }

    private static func damageBytes(
        _ bytes: inout [UInt8], _ originals: [[UInt8]], _ random: inout SeededGenerator
    ) {
        let length = Int.random(in: 1...(1 << Int.random(in: 1...12, using: &random)), using: &random)
        let position = Int.random(in: 0...bytes.count, using: &random)
        let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
            if position < bytes.count { bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 2:
            for (i, byte) in noise.enumerated() where position + i < bytes.count {
                bytes[position + i] = byte
            }
        case 3: bytes.removeLast(min(bytes.count, length))
        case 4: bytes.removeSubrange(position..<min(bytes.count, position + length))
        case 5: bytes.insert(contentsOf: noise, at: position)
        case 6: bytes += originals[Int.random(in: 0..<originals.count, using: &random)]
        default: bytes.insert(contentsOf: Array("OggS".utf8), at: position)
        }
    }

    private static func violation(in stream: OggAudioStream, _ bytes: [UInt8]) -> String? {
        guard stream.sampleCount > 0, stream.payload.upperBound <= bytes.count else { return "payload" }
        guard stream.headers.count == stream.index.links.count else { return "headers" }
        var end = stream.payload.lowerBound
        var sample = 0
        for place in 0..<stream.index.packets.count {
            let packet = stream.index.packets[place]
            for range in packet.ranges {
                if range.isEmpty || range.lowerBound < end { return "packet \(place) overlaps" }
                end = range.upperBound
            }
            if packet.startSample != sample { return "packet \(place) is not continuous" }
            sample += packet.sampleCount
        }
        guard end <= stream.payload.upperBound, sample == stream.index.packets.sampleCount else {
            return "length"
        }
        var packets = 0
        for link in stream.index.links {
            let first = stream.index.packets[link.packets.lowerBound].startSample
            let last = stream.index.packets[link.packets.upperBound - 1]
            if link.packets.lowerBound != packets { return "links" }
            if link.skippedSamples + link.sampleCount > last.startSample + last.sampleCount - first {
                return "samples of a link"
            }
            packets = link.packets.upperBound
        }
        guard packets == stream.index.packets.count else { return "packets of links" }
        do {
            let stored = try OggPacketIndex(
                decoding: stream.index.encoded(), start: stream.payload.lowerBound)
            return stored == stream.index ? nil : "stored index"
        } catch {
            return "\(error)"
        }
    }
}
