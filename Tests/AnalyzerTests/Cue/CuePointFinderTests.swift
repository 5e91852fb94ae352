import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// Cue points of synthetic tracks. Each known flaw in the rules of other tools has a test here.
@Suite("Cue points")
struct CuePointFinderTests {
    private static let rate = 44_100.0

    private func cue(_ signal: Signal) -> CuePoints { signal.cuePoints }

    private func music(_ seconds: Double, peakDB: Double = -8, seed: UInt64 = 7) -> Signal {
        Signal(sampleRate: Self.rate).noise(peakDB: peakDB, seconds, seed: seed)
            .shaped { 0.7 + 0.3 * sin(2 * .pi * 2 * $0) }
    }

    @Test("The points are in order for any track")
    func order() {
        let tracks = [
            music(0.05), music(0.5), music(3), music(30), Signal(sampleRate: Self.rate).silence(2),
            Signal(sampleRate: Self.rate),
            Signal(sampleRate: Self.rate).silence(5).followed(by: music(25)).silence(9),
            music(40).shaped { $0 / 40 }, music(40).shaped { 1 - $0 / 40 }, music(25, peakDB: -68),
        ]
        for track in tracks {
            let found = cue(track)
            let points = [
                0, found.cueInSeconds, found.fadeInEndSeconds, found.fadeOutStartSeconds, found.cueOutSeconds,
                track.seconds,
            ]
            #expect(points == points.sorted(), "\(track.seconds) s")
            #expect(
                found.startNextSeconds >= found.cueInSeconds && found.startNextSeconds <= found.cueOutSeconds)
            for confidence in [found.cueInConfidence, found.cueOutConfidence, found.startNextConfidence] {
                #expect((0...1).contains(confidence))
            }
        }
    }

    // Dating a momentary value by the end of its window would date a start up to 0.4 s late.
    @Test("A start after silence is found to 10 ms, minus the guard", arguments: [0.5, 1.234, 4.0, 11.1])
    func cueInIsExact(leading: Double) {
        let found = cue(Signal(sampleRate: Self.rate).silence(leading).followed(by: music(30)).silence(2))
        #expect(abs(found.cueInSeconds - (leading - CuePointFinder.guardSeconds)) <= 0.011)
        #expect(abs(found.cueOutSeconds - (leading + 30 + CuePointFinder.guardSeconds)) <= 0.011)
        #expect(found.cueInConfidence > 0.9 && found.cueOutConfidence > 0.9)
    }

    @Test("A click in the silence before the music is not its start")
    func clickIsIgnored() {
        let click = Signal(sampleRate: Self.rate).silence(1).noise(peakDB: -3, 0.015).silence(2)
        let found = cue(click.followed(by: music(30)))
        #expect(abs(found.cueInSeconds - (3.015 - CuePointFinder.guardSeconds)) <= 0.011)
    }

    @Test("A click after the music is not its end")
    func clickAtTheEnd() {
        let found = cue(music(30).silence(3).noise(peakDB: -3, 0.015).silence(1))
        #expect(abs(found.cueOutSeconds - (30 + CuePointFinder.guardSeconds)) <= 0.011)
    }

    @Test(
        "A track of clicks starts with the first and ends with the last",
        arguments: [0.015, 0.025])
    func madeOfClicks(seconds: Double) {
        var signal = Signal(sampleRate: Self.rate).silence(1)
        for number in 0..<24 {
            // One of them is longer than a click.
            let length = number == 17 ? 0.045 : seconds
            signal = signal.noise(peakDB: -3, length, seed: UInt64(number)).silence(1 - length)
        }
        let found = cue(signal)
        #expect(abs(found.cueInSeconds - (1 - CuePointFinder.guardSeconds)) <= 0.011)
        #expect(abs(found.cueOutSeconds - (24 + seconds + CuePointFinder.guardSeconds)) <= 0.011)
        #expect(found.innerSilence == nil)
    }

    @Test("After a hard ending the next track starts at the end")
    func hardEnding() {
        let found = cue(music(30).silence(3))
        #expect(found.ending == .hard)
        #expect(abs(found.startNextSeconds - 30) <= 0.25)
        #expect(found.fadeOutStartSeconds == found.cueOutSeconds)
        #expect(found.startNextConfidence > 0.9)
    }

    @Test(
        "A fade linear in amplitude or in dB is dated to within a tenth of its length",
        arguments: [6.0, 10, 20])
    func fade(length: Double) {
        let track = music(40 + length)
        let shapes: [(Double) -> Double] = [
            { max(0, 1 - $0 / length) }, { pow(10, -3 * $0 / length) },
        ]
        for shape in shapes {
            let found = cue(track.shaped { $0 < 40 ? 1 : shape($0 - 40) })
            #expect(found.ending == .fade, "\(length) s")
            #expect(abs(found.fadeOutStartSeconds - 40) <= 0.1 * length + 0.3, "\(found.fadeOutStartSeconds)")
            #expect(found.startNextSeconds > 40 && found.startNextSeconds < 40 + length)
        }
    }

    @Test("A fade-in ends when the music reaches its level", arguments: [5.0, 12])
    func fadeIn(length: Double) {
        let found = cue(music(60).shaped { min(1, $0 / length) })
        #expect(abs(found.fadeInEndSeconds - length) <= 0.1 * length + 0.3, "\(found.fadeInEndSeconds)")
        #expect(found.cueInSeconds < 0.3)
    }

    // Rules based on percentages of LUFS values, or that cap the overlap by cutting, lose such endings.
    @Test("A held chord at a lower level that stops is a sustained ending, and not cut")
    func sustainedEnding() {
        let held = Signal(sampleRate: Self.rate).sine(330, peakDB: -22, 6)
        let found = cue(music(40).followed(by: held).silence(2))
        #expect(found.ending == .sustained)
        #expect(found.cueOutSeconds >= 46 && found.cueOutSeconds <= 46.1)
        #expect(found.startNextSeconds >= 39.5)
    }

    @Test("A long quiet tail is reported and kept whole")
    func longTail() {
        let found = cue(music(60).followed(by: music(20, peakDB: -30, seed: 9).shaped { 1 - 0.5 * $0 / 20 }))
        #expect(found.ending == .longTail || found.ending == .sustained)
        #expect(abs(found.cueOutSeconds - 80) <= 0.05)
        #expect(found.startNextSeconds >= 59.5)
    }

    // Residual noise of a recording used to be detected as a fade with confidence 1.
    @Test("An abrupt stop above steady noise or hum is a hard ending", arguments: [2.5, 6, 12])
    func stopAboveFloor(seconds: Double) {
        let floors = [
            music(30).followed(by: Signal(sampleRate: Self.rate).sine(50, peakDB: -52, seconds)),
            music(30).followed(by: Signal(sampleRate: Self.rate).noise(peakDB: -50, seconds, seed: 5)),
        ]
        for track in floors {
            let found = cue(track)
            #expect(found.ending == .hard)
            #expect(abs(found.startNextSeconds - 30) <= 0.25)
            #expect(found.fadeOutStartSeconds == found.cueOutSeconds)
        }
    }

    @Test("A steady quiet sound 22 LU below the music is its tail, not a noise floor")
    func steadyTail() {
        let track = Signal(sampleRate: Self.rate).sine(1000, peakDB: -14, 20).sine(1000, peakDB: -36, 12)
        #expect(cue(track).ending == .longTail)
    }

    @Test("A fade into a noise floor is still detected as a fade")
    func fadeIntoFloor() {
        let floor = Signal(sampleRate: Self.rate).noise(peakDB: -55, 50, seed: 5)
        var track = music(40).shaped { $0 < 30 ? 1 : max(0, 1 - ($0 - 30) / 10) }
            .silence(5)
        for index in track.samples.indices { track.samples[index] += floor.samples[index] }
        #expect(cue(track).ending == .fade)
    }

    // MP3 smears noise of 10 ms to up to 50 ms.
    @Test("An isolated click is not music, neither before nor after it")
    func loneClick() {
        let click = Signal(sampleRate: Self.rate).noise(peakDB: -12, 0.05, seed: 2)
        let silence = Signal(sampleRate: Self.rate).silence(1)
        let found = cue(silence.followed(by: click).silence(3).followed(by: music(20)))
        #expect(abs(found.cueInSeconds - (4.05 - CuePointFinder.guardSeconds)) <= 0.011)
        let after = cue(music(20).silence(3).followed(by: click).silence(1))
        #expect(abs(after.cueOutSeconds - (20 + CuePointFinder.guardSeconds)) <= 0.011)
    }

    @Test("A series of short hits is the beginning of the music")
    func hits() {
        var intro = Signal(sampleRate: Self.rate).silence(2)
        for seed in 0..<6 {
            intro = intro.followed(
                by: Signal(sampleRate: Self.rate).noise(peakDB: -12, 0.05, seed: UInt64(seed)).silence(0.55))
        }
        let found = cue(intro.followed(by: music(30)))
        #expect(abs(found.cueInSeconds - (2 - CuePointFinder.guardSeconds)) <= 0.011)
    }

    @Test("A constant offset does not move cue points", arguments: [0.01, 0.1, -0.05])
    func constantOffset(offset: Float) {
        var track = Signal(sampleRate: Self.rate).silence(2).followed(by: music(20)).silence(2)
        for index in track.samples.indices { track.samples[index] += offset }
        let found = cue(track)
        #expect(abs(found.cueInSeconds - (2 - CuePointFinder.guardSeconds)) <= 0.02, "\(found.cueInSeconds)")
        #expect(
            abs(found.cueOutSeconds - (22 + CuePointFinder.guardSeconds)) <= 0.02, "\(found.cueOutSeconds)")
    }

    // Mirroring an early end by max(cue, duration − cue) would put it in the wrong half.
    @Test("A track that ends before its middle is cued out there")
    func earlyEnd() {
        let found = cue(music(25).silence(50))
        #expect(abs(found.cueOutSeconds - (25 + CuePointFinder.guardSeconds)) <= 0.011)
        #expect(abs(found.startNextSeconds - 25) <= 0.25)
    }

    @Test("A hidden track after a long silence is part of the track, and reported")
    func hiddenTrack() throws {
        let found = cue(music(30).silence(60).followed(by: music(15, seed: 11)))
        let inner = try #require(found.innerSilence)
        #expect(abs(inner.startSeconds - 30) <= 0.02)
        #expect(abs(inner.endSeconds - 90) <= 0.02)
        #expect(found.cueOutSeconds > 104.9)
    }

    @Test("A pause shorter than 5 s is not a hidden track")
    func pause() {
        #expect(cue(music(30).silence(4.5).followed(by: music(15))).innerSilence == nil)
    }

    @Test("Quiet music has cue points relative to its own level")
    func quietMusic() {
        let found = cue(
            Signal(sampleRate: Self.rate).silence(3).followed(by: music(30, peakDB: -42)).silence(3))
        #expect(abs(found.cueInSeconds - 2.95) <= 0.02)
        #expect(abs(found.cueOutSeconds - 33.05) <= 0.02)
    }

    @Test("A short track is played to its end")
    func shortTrack() {
        let found = cue(music(12).shaped { $0 < 6 ? 1 : max(0, 1 - ($0 - 6) / 6) })
        #expect(found.startNextSeconds == found.cueOutSeconds)
    }

    @Test("The confidence is low if the result depends on the gate")
    func confidence() {
        let stepped = music(40).followed(by: music(6, peakDB: -15, seed: 3)).followed(
            by: music(6, peakDB: -19, seed: 4)
        )
        .followed(by: music(6, peakDB: -24, seed: 5))
        #expect(cue(stepped).startNextConfidence < cue(music(40).silence(1)).startNextConfidence - 0.2)
    }

    @Test("Ramps describe how fast a track rises and falls")
    func ramps() throws {
        // 1 dB per second, up and down.
        let found = cue(music(120).shaped { pow(10, -(max(0, 40 - $0) + max(0, $0 - 80)) / 20) })
        let rise = try #require(found.startRamp.first { $0.levelDB == -12 })
        let earlier = try #require(found.startRamp.first { $0.levelDB == -24 })
        #expect(abs(rise.seconds - earlier.seconds - 12) <= 1)
        let fall = try #require(found.endRamp.first { $0.levelDB == -12 })
        let later = try #require(found.endRamp.first { $0.levelDB == -24 })
        #expect(abs(fall.seconds - later.seconds - 12) <= 1)
    }
}
