import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// Endings of music above the noise or hum of a recording, which is there before, during and after the music.
@Suite("Endings")
struct EndingTests {
    private static let rate = 44_100.0

    /// A steady sound at a level in dBFS (RMS).
    struct Floor: Sendable, CustomStringConvertible {
        enum Kind: Sendable { case noise, hum50, hum60 }
        let kind: Kind
        let levelDB: Double
        var description: String { "\(kind) at \(Int(levelDB)) dB" }

        func signal(_ seconds: Double) -> Signal {
            let empty = Signal(sampleRate: EndingTests.rate)
            switch kind {
            // Uniform noise has an RMS value of 1/√3 of its peak, a sine of 1/√2.
            case .noise: return empty.noise(peakDB: levelDB + 4.77, seconds, seed: 5)
            case .hum50: return hum(50, seconds)
            case .hum60: return hum(60, seconds)
            }
        }

        /// The mains frequency and its second and third harmonics at −6 and −12 dB.
        private func hum(_ hertz: Double, _ seconds: Double) -> Signal {
            let amplitude = pow(10, levelDB / 20) * (2 / (1 + 0.25 + 0.0625)).squareRoot()
            return Signal(sampleRate: EndingTests.rate).appending(seconds) { index in
                let phase = 2 * Double.pi * hertz * Double(index) / EndingTests.rate
                return amplitude * (sin(phase) + 0.5 * sin(2 * phase) + 0.25 * sin(3 * phase))
            }
        }

        static let all = [-70.0, -60, -55, -50, -45, -40].flatMap { level in
            [Kind.noise, .hum50, .hum60].map { Floor(kind: $0, levelDB: level) }
        }
    }

    /// Noise at about −15 dBFS (RMS) that swells twice a second.
    private func music(_ seconds: Double) -> Signal {
        Signal(sampleRate: Self.rate).noise(peakDB: -8, seconds, seed: 7)
            .shaped { 0.7 + 0.3 * sin(2 * .pi * 2 * $0) }
    }

    @Test("Music that stops above a floor has a hard ending", arguments: Floor.all, [2.0, 5, 12])
    func stop(floor: Floor, seconds: Double) {
        let found = music(30).silence(seconds).mixed(with: floor.signal(30 + seconds)).cuePoints
        #expect(found.ending == .hard)
        #expect(found.fadeOutStartSeconds == found.cueOutSeconds)
        #expect(abs(found.startNextSeconds - 30) <= 0.25, "\(found.startNextSeconds)")
    }

    @Test("Reverberation after the last note does not make a stop a fade", arguments: Floor.all)
    func reverberatedStop(floor: Floor) {
        // 60 dB per second.
        let track = music(34).shaped { $0 < 30 ? 1 : pow(10, -3 * ($0 - 30)) }
        let found = track.mixed(with: floor.signal(34)).cuePoints
        #expect(found.ending == .hard)
    }

    @Test(
        "A fade to a floor is a fade, however long the floor continues",
        arguments: Floor.all, [(2.0, 3.0), (2, 12), (4, 6), (6, 3), (10, 3), (10, 12)])
    func fade(floor: Floor, seconds: (fade: Double, rest: Double)) {
        let (length, rest) = seconds
        let shapes: [(Double) -> Double] = [
            { max(0, 1 - $0 / length) }, { $0 < length ? pow(10, -2.5 * $0 / length) : 0 },
        ]
        for (number, shape) in shapes.enumerated() {
            let track = music(30 + length + rest).shaped { $0 < 30 ? 1 : shape($0 - 30) }
            let found = track.mixed(with: floor.signal(30 + length + rest)).cuePoints
            #expect(found.ending == .fade, "shape \(number)")
            #expect(
                abs(found.fadeOutStartSeconds - 30) <= 0.1 * length + 0.5,
                "shape \(number): \(found.fadeOutStartSeconds)")
        }
    }

    @Test("Cue points where the level hardly changes have a low confidence", arguments: Floor.all)
    func confidenceAboveFloor(floor: Floor) {
        let track = Signal(sampleRate: Self.rate).silence(4).followed(by: music(20)).silence(4)
        let found = track.mixed(with: floor.signal(28)).cuePoints
        // A floor that is just audible moves them away from the music, up to the ends of the file.
        if abs(found.cueInSeconds - 4) > 0.1 { #expect(found.cueInConfidence <= 0.6) }
        if abs(found.cueOutSeconds - 24) > 0.1 { #expect(found.cueOutConfidence <= 0.6) }
        if floor.levelDB <= -60 { #expect(found.cueInConfidence > 0.9 && found.cueOutConfidence > 0.9) }
        if floor.levelDB >= -50 { #expect(found.cueInConfidence <= 0.6 && found.cueOutConfidence <= 0.6) }
    }

    @Test("The quieter the sound at the ends of a file, the lower the confidence")
    func confidenceFalls() {
        let confidences = [-15.0, -30, -40, -50].map { level in
            let floor = Floor(kind: .noise, levelDB: level).signal(28)
            return Signal(sampleRate: Self.rate).silence(4).followed(by: music(20)).silence(4).mixed(
                with: floor
            )
            .cuePoints
        }
        #expect(confidences.map(\.cueInConfidence) == confidences.map(\.cueInConfidence).sorted(by: >))
        #expect(confidences.map(\.cueOutConfidence) == confidences.map(\.cueOutConfidence).sorted(by: >))
        #expect(confidences.last.map { $0.cueInConfidence < 0.4 } == true)
    }

    @Test("Music that fills the file has certain cue points")
    func fullFile() {
        let found = music(30).cuePoints
        #expect(found.cueInConfidence == 1 && found.cueOutConfidence == 1)
    }
}
