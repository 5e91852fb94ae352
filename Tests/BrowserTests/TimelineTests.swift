import Foundation
import TestSupport
import Testing

/// The seek bar with the waveform: pixels, keys and pointers in a real browser.
@Suite("Seek bar", .timeLimit(.minutes(30)))
struct TimelineTests {
    private static let page = Task {
        try await CheckedPage.run("timeline-checks.js", files: try await aside { try sounds() })
    }

    private let page: CheckedPage

    init() async throws { page = try await Self.page.value }

    /// Ten seconds; the second half is four times as loud.
    private static func sounds() throws -> [(name: String, bytes: [UInt8])] {
        let samples = (0..<441_000).map { index -> Int16 in
            let level = index < 220_500 ? 0.2 : 0.8
            return Int16(sin(2 * .pi * 440 * Double(index) / 44_100) * level * 32_767)
        }
        let pcm = PCM(sampleRate: 44_100, channelCount: 1, samples: samples)
        return [("steps.mp3", try Encoders.lame(pcm, ["-b", "128"]))]
    }

    @Test("The waveform matches the host's, and invalid files are rejected")
    func outline() throws {
        let seen = try page.of("outline")
        #expect(seen["differing"] == 0)
        #expect(seen["pixels"] == 0)
        #expect(seen["refused"] == 3)
        let ratio = (seen["soft"] ?? 0) / (seen["loud"] ?? 1)
        #expect(abs(ratio - 0.25) < 0.02)
    }

    @Test("The played part has its own colour, and buffered parts are brighter than the rest")
    func parts() throws {
        let seen = try page.of("parts")
        // In the played part, only the head has another colour.
        #expect((seen["greenPlayed"] ?? 0) > 4 * (seen["redPlayed"] ?? 1))
        #expect((seen["loaded"] ?? 0) > 1.5 * (seen["rest"] ?? 1))
        #expect((seen["redLoaded"] ?? 0) > 1000)
        #expect((seen["greenAtEnd"] ?? 0) > 4 * (seen["redAtEnd"] ?? 1))
    }

    @Test("The crossfade is marked at the end of one track and at the start of the next")
    func crossfade() throws {
        let seen = try page.of("crossfade")
        #expect(abs(seen["before"] ?? 9) < 1000)
        #expect((seen["marked"] ?? 0) > 50_000)
        #expect(abs(seen["elsewhere"] ?? 9) < 1000)
        #expect(abs(seen["cut"] ?? 9) < 1000)
        #expect((seen["incoming"] ?? 0) > 50_000)
        #expect(abs(seen["incomingEnd"] ?? 9) < 1000)
    }

    @Test("Test doubles have no members that the real classes lack")
    func testDoubles() throws { #expect(try page.of("testDoubles")["stray"] == 0) }

    @Test("Beats are thinned out to avoid overlaps, and cue points are shown unless at the ends")
    func marks() throws {
        let seen = try page.of("beats")
        #expect([seen["wide"], seen["half"], seen["narrow"], seen["none"]] == [1, 2, 8, 0])
        #expect(seen["cueIn"] == 2)
        #expect(seen["cueOut"] == 1)
    }

    @Test("It is a slider for keyboard and screen readers, and ignores other keys")
    func keys() throws {
        let after = try page.of("keys")
        #expect([after["right"], after["left"], after["fine"], after["home"]] == [8, 3, 4, 0])
        // 4 + 30 s is beyond the end; End seeks to one second before it.
        #expect(abs(after["pageUp"] ?? 9) < 0.01)
        #expect(abs((after["end"] ?? 9) + 1) < 0.01)
        #expect(after["other"] == -1)
        #expect(after["withControl"] == -1)
        #expect(after["now"] == 1)
        #expect(after["most"] == 0)
        #expect(after["isSlider"] == 1)
        #expect(after["said"] == 1)
    }

    @Test("A press seeks, dragging further from the bar is slower, and Escape cancels")
    func pointers() throws {
        let after = try page.of("pointers")
        #expect(abs((after["pressed"] ?? 0) - 150) < 0.5)
        // The seek happens when the pointer is released: 100 + 100 at full speed, and 40 at a quarter.
        #expect(abs((after["unchanged"] ?? 0) - 150) < 0.5)
        #expect(abs((after["during"] ?? 0) - 210) < 0.5)
        #expect(abs((after["dragged"] ?? 0) - 210) < 0.5)
        #expect(abs((after["escaped"] ?? 0) - 210) < 0.5)
        #expect(after["seeks"] == 2)
        #expect(after["saysSpeed"] == 1)
        #expect(after["endTold"] == 3)
        #expect([after["most"], after["least"], after["speed"]] == [100, 0, 0.1])
    }

    @Test("Nothing is drawn while nothing changes")
    func rests() throws {
        let count = try page.of("rests")
        #expect(count["paused"] == 0)
        #expect((count["still"] ?? 9) <= 1)
        #expect((count["moving"] ?? 0) >= 4)
    }
}
