import AudioFrames
import TestSupport
import Testing

@testable import FLACAudio

/// Frames out of bytes that arrive in pieces, against the scan of the whole file.
@Suite("FLAC in pieces")
struct FLACFeedTests {
    private static func feed(
        _ bytes: some Collection<UInt8>, into feed: inout FLACFeed, seed: UInt64, longest: Int = 9000
    ) -> [FLACFeed.Unit] {
        var random = SeededGenerator(seed: seed)
        var units: [FLACFeed.Unit] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...longest, using: &random))
            feed.append(rest.prefix(count))
            rest = rest.dropFirst(count)
            while let unit = feed.next() { units.append(unit) }
        }
        feed.finish()
        while let unit = feed.next() { units.append(unit) }
        return units
    }

    private static func frames(_ units: [FLACFeed.Unit]) -> [FLACFeed.Frame] {
        units.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
    }

    @Test(
        "Frames are those of the scan, whatever the sizes of the pieces",
        arguments: [
            (44_100, 2, 16, ["-b", "4096"]), (44_100, 2, 16, ["-b", "192"]), (96_000, 6, 24, ["-0"]),
            (8_000, 1, 16, ["-b", "65535"]), (192_000, 2, 24, ["-8", "--lax", "-b", "16384"]),
        ])
    func pieces(rate: Int, channels: Int, depth: Int, options: [String]) throws {
        let sound = IntegerSound.tones(
            frameCount: rate * 2 + 501, sampleRate: rate, channelCount: channels, bitDepth: depth)
        let bytes = try sound.flac(options + ["-T", "REPLAYGAIN_TRACK_GAIN=-3.50 dB"])
        let stream = try FLACAudioStream.scan(bytes.span.bytes)
        for (seed, longest) in [(1, 1), (2, 700), (3, 9000), (4, 1 << 20)]
        where longest > 1 || bytes.count < 200_000 {
            var feed = FLACFeed()
            let units = Self.feed(bytes, into: &feed, seed: UInt64(seed), longest: longest)
            let frames = Self.frames(units)
            #expect(frames.count == stream.index.count && feed.frameCount == frames.count)
            for (place, frame) in frames.enumerated() {
                let known = stream.index[place]
                guard frame.offset == known.range.lowerBound, frame.bytes.count == known.range.count,
                    frame.startSample == known.startSample, frame.header.blockSize == known.sampleCount
                else {
                    Issue.record("frame \(place) differs")
                    return
                }
            }
            #expect(feed.skippedBytes == 0 && feed.information == stream.info)
            #expect(feed.audioStart == stream.payload.lowerBound)
            guard case .information(let info)? = units.first else {
                Issue.record("no STREAMINFO")
                return
            }
            #expect(info == stream.info)
            let hasComments = units.contains {
                if case .comments(let bytes) = $0 {
                    String(decoding: bytes, as: UTF8.self).contains("-3.50 dB")
                } else {
                    false
                }
            }
            #expect(hasComments)
        }
    }

    @Test("From the middle of a stream, the first whole frame is found, with its position")
    func middle() throws {
        let bytes = try IntegerSound.tones(frameCount: 44_100 * 3).flac(["-b", "1152"])
        let stream = try FLACAudioStream.scan(bytes.span.bytes)
        var random = SeededGenerator(seed: 7)
        for round in 0..<60 {
            let start = Int.random(in: stream.payload, using: &random)
            var feed = FLACFeed(stream.info, offset: start)
            let frames = Self.frames(Self.feed(bytes[start...], into: &feed, seed: UInt64(round)))
            let expected = (0..<stream.index.count).map { stream.index[$0] }.filter {
                $0.range.lowerBound >= start
            }
            #expect(frames.map(\.offset) == expected.map(\.range.lowerBound))
            #expect(frames.map(\.startSample) == expected.map(\.startSample))
        }
    }

    @Test("Tags in front and at the end are passed over; a damaged frame is delivered, junk is not")
    func tags() throws {
        let bytes = try IntegerSound.tones(frameCount: 44_100).flac(["-b", "1152"])
        let index = try FLACAudioStream.scan(bytes.span.bytes).index
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 0] + [UInt8](repeating: 0x55, count: 256)
        let old = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        var feed = FLACFeed()
        #expect(Self.frames(Self.feed(tag + bytes + old, into: &feed, seed: 1)).count == index.count)
        #expect(feed.skippedBytes == 0)

        var damaged = bytes
        damaged[index[9].range.lowerBound + 300] ^= 0x10
        feed = FLACFeed()
        let frames = Self.frames(Self.feed(damaged, into: &feed, seed: 2))
        #expect(frames.map(\.startSample) == (0..<index.count).map { index[$0].startSample })

        let place = index[20].range.lowerBound
        feed = FLACFeed()
        let junk = bytes[..<place] + [UInt8](repeating: 0, count: 5000) + bytes[place...]
        let found = Self.frames(Self.feed(Array(junk), into: &feed, seed: 3))
        // The frame before it does not end within its possible length.
        #expect(
            found.map(\.startSample) == (0..<index.count).filter { $0 != 19 }.map { index[$0].startSample })
        // A file cut off in a frame.
        feed = FLACFeed()
        let cut = bytes[..<(index[30].range.lowerBound + 50)]
        #expect(Self.frames(Self.feed(cut, into: &feed, seed: 4)).count == 30)
        feed = FLACFeed()
        #expect(Self.feed(Array("RIFF....WAVEfmt ".utf8), into: &feed, seed: 5).isEmpty)
    }
}
