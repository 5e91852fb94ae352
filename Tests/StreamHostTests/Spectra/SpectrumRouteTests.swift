import Analyzer
import Foundation
import MusicShared
import TestSupport
import Testing

@testable import StreamHost

/// Spectrum frames by path over HTTP.
@Suite("Frames by path", .timeLimit(.minutes(30)))
struct SpectrumRouteTests {
    private let served: ServedLibrary

    init() async throws { served = try await ServedStreams.library.value }

    private func frames(_ query: String, of host: ServedLibrary? = nil) async throws -> SpectrumArray {
        let answer = try await (host ?? served).get("/visualizer/frames?relative_path=\(query)")
        #expect(answer.status == 200, "\(answer.text.prefix(300))")
        #expect(answer.field("Content-Type") == "application/json")
        let array = try JSONDecoder().decode(SpectrumArray.self, from: Data(answer.body))
        #expect(array.frames.count == array.frameCount && array.frames.allSatisfy { $0.count == array.bands })
        return array
    }

    @Test("By default, frames are returned as stored")
    func stored() async throws {
        let array = try await frames("vbr.mp3")
        #expect(array.fps == 30 && array.bands == 64 && array.startSeconds == 0)
        // 20 s and 777 samples at 48 kHz.
        #expect(array.frameCount == 601)
        let id = try served.id("vbr.mp3")
        let stored = try await served.get("/tracks/\(id)/visualizer?format=json").json("frames")
        #expect(array.frames.map { $0.map { Int($0) } } == stored as? [[Int]])
    }

    @Test("The binary format has the same values and supports ranges")
    func binary() async throws {
        let path = "/visualizer/frames?relative_path=cbr.mp3&bands=16&fps=10&start_seconds=2&end_seconds=5"
        let array = try await frames("cbr.mp3&bands=16&fps=10&start_seconds=2&end_seconds=5")
        let accept = ["-H", "Accept: application/octet-stream"]
        let bytes = try await served.get(path, accept)
        #expect(bytes.field("Content-Type") == "application/octet-stream")
        #expect(bytes.field("Vary")?.contains("Accept") == true)
        #expect(bytes.body.count == 32 + 30 * 16)
        #expect(Array(bytes.body[8..<16]) == [30, 0, 0, 0, 16, 0, 0, 0])
        let rate = bytes.body[16..<20].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        #expect(Float(bitPattern: rate) == 10)
        #expect(bytes.body[32...].map { Double($0) } == array.frames.flatMap { $0 })
        let part = try await served.get(path, accept + ["-H", "Range: bytes=32-47"])
        #expect(part.status == 206 && part.body.map { Double($0) } == array.frames[0])
        let floats = try await served.get(path + "&type=float32", accept)
        #expect(floats.body.count == 32 + 30 * 16 * 4)
        let numbers = try await frames(
            "cbr.mp3&bands=16&fps=10&start_seconds=2&end_seconds=5&type=float32")
        for (row, expected) in zip(numbers.frames, array.frames) {
            for (value, level) in zip(row, expected) { #expect(abs(value - level / 255) <= 5.1e-5) }
        }
        let tags = Set([bytes, floats].compactMap { $0.field("ETag") })
        #expect(tags.count == 2)
        let again = try await served.get(
            path, accept + ["-H", "If-None-Match: \(bytes.field("ETag") ?? "")"])
        #expect(again.status == 304)
    }

    @Test("A tone appears in its band at its level, for any number of bands")
    func tone() async throws {
        // High enough for even the narrowest bands to contain several lines of the spectrum, and so the tone
        // itself.
        let hertz = 5123.4
        let file = try GeneratedTracks.mp3(
            GeneratedTracks.sound(4) { 0.1 * sin(2 * .pi * hertz * $0) }, ["--scale", "1"])
        try await ServedLibrary.with([("tone.mp3", file)]) { own in
            for bands in [8, 12, 16, 24, 32, 48, 63, 64] {
                let layout = BandLayout(bandCount: bands)
                let array = try await frames("tone.mp3&bands=\(bands)&start_seconds=1&end_seconds=3", of: own)
                #expect(array.bands == bands && array.frameCount == 60)
                for row in array.frames {
                    let loudest = try #require(row.indices.max { row[$0] < row[$1] })
                    // The tone is in this band, or at most half a stored band away.
                    let slack = pow(BandLayout.highestHz / BandLayout.lowestHz, 0.5 / 64)
                    #expect(
                        layout.edgesHz[loudest] / slack <= hertz
                            && hertz <= layout.edgesHz[loudest + 1] * slack)
                    // −20 dBFS is 70 dB above the floor of −90 dBFS.
                    #expect(abs(row[loudest] / 255 * 90 - 70) < 0.7)
                }
            }
        }
    }

    @Test("A burst appears at its time at every rate, and is not lost at low rates")
    func rates() async throws {
        // A 50 ms tone, 3.1 s into silence.
        let file = try GeneratedTracks.mp3(
            GeneratedTracks.sound(6) { $0 >= 3.1 && $0 < 3.15 ? 0.5 * sin(2 * .pi * 1000 * $0) : 0 })
        try await ServedLibrary.with([("burst.mp3", file)]) { own in
            for rate in [1, 2, 7, 10, 15, 24, 29, 30, 31, 50, 60] {
                let array = try await frames("burst.mp3&fps=\(rate)", of: own)
                #expect(array.fps == rate && array.frameCount == 6 * rate)
                let loudness = array.frames.map { $0.max() ?? 0 }
                let loudest = try #require(loudness.indices.max { loudness[$0] < loudness[$1] })
                let moment = Double(loudest) / Double(rate)
                // Tolerance: half a frame, a stored frame, and half of the 23 ms window of a spectrum.
                #expect(abs(moment - 3.125) <= 0.5 / Double(rate) + 0.06, "\(rate)")
                // −6 dBFS; interpolation between two stored frames yields less than the frame that contains
                // the burst.
                #expect(abs(loudness[loudest] / 255 * 90 - 84) < (rate > 30 ? 6 : 2), "\(rate)")
            }
        }
    }

    @Test("A window returns the matching part of all frames")
    func windows() async throws {
        let whole = try await frames("cbr.mp3&fps=12&bands=10")
        for (start, end) in [
            (0.0, 20.0), (1, 2), (0.01, 0.5), (7.25, 7.5), (19.9, 1e6), (3, 3), (5, 4), (30, 40),
        ] {
            let part = try await frames(
                "cbr.mp3&fps=12&bands=10&start_seconds=\(start)&end_seconds=\(end)")
            let expected = whole.frames.enumerated().filter {
                Double($0.offset) / 12 >= start && Double($0.offset) / 12 < end
            }
            #expect(part.frames == expected.map(\.element), "\(start) \(end)")
            if let first = expected.first {
                #expect(abs(part.startSeconds - Double(first.offset) / 12) < 1e-5)
            }
        }
    }

    @Test("The response for a long track is streamed and equals the concatenated parts")
    func long() async throws {
        // 560 s with 60 frames per second and 64 bands exceed the limit for responses in memory.
        let pcm = PCM.music(frameCount: 560 * 8000, sampleRate: 8000, channelCount: 1, seed: 6)
        let file = try Encoders.lame(pcm, ["-V", "5", "--resample", "8"])
        try await ServedLibrary.with([("long.mp3", file)], parts: .frames) { own in
            let whole = try await frames("long.mp3&fps=60", of: own)
            #expect(whole.frameCount == 560 * 60)
            var parts: [[Double]] = []
            for start in stride(from: 0, to: 560, by: 140) {
                parts += try await frames(
                    "long.mp3&fps=60&start_seconds=\(start)&end_seconds=\(start + 140)", of: own
                ).frames
            }
            #expect(whole.frames == parts)
            let path = "/visualizer/frames?relative_path=long.mp3&fps=60"
            let accept = ["-H", "Accept: application/octet-stream"]
            let binary = try await own.get(path, accept)
            #expect(binary.field("Content-Length") == "\(32 + 560 * 60 * 64)")
            #expect(binary.body.dropFirst(32).elementsEqual(whole.frames.joined().map { UInt8($0) }))
            let part = try await own.get(path, accept + ["-H", "Range: bytes=2000000-2000099"])
            #expect(part.status == 206 && part.body == Array(binary.body[2_000_000..<2_000_100]))
        }
    }

    @Test(
        "Errors name malformed and out-of-range parameters",
        arguments: [
            "fps=0", "fps=61", "fps=x", "bands=7", "bands=65", "bands=", "start_seconds=-1",
            "start_seconds=nan",
            "end_seconds=inf", "end_seconds=1e7", "type=int",
        ])
    func bad(parameter: String) async throws {
        let answer = try await served.get("/visualizer/frames?relative_path=cbr.mp3&\(parameter)")
        #expect(answer.status == 422)
        #expect(
            try answer.json("error", "field") as? String
                == parameter.split(separator: "=").first.map { String($0) })
    }
}
