import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// The standard's cases again, through an encoder, a file and the whole pass.
@Suite("Loudness through MP3")
struct LoudnessThroughMP3Tests {
    /// EBU Tech 3341: ±0.1 LU, and +0.2/−0.4 dB for the true peak. EBU Tech 3342: ±1 LU.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let signal: Signal
        let value: @Sendable (LoudnessMeasurement) -> Double?
        let expected: Double
        var tolerance = -0.1...0.1
    }

    private static func tones(_ steps: (seconds: Double, level: Double)...) -> Signal {
        // Each step continues the phase of the previous one.
        steps.reduce(Signal(sampleRate: 48_000)) { signal, step in
            signal.sine(1000, peakDB: step.level, step.seconds, degrees: 360_000 * signal.seconds)
        }
    }

    private static func peak(_ divisor: Double, degrees: Double) -> Signal {
        Signal(sampleRate: 48_000).sine(48_000 / divisor, peakDB: 20 * log10(0.5), 3, degrees: degrees)
            .shaped { min(1, $0 / 0.01, (3 - $0) / 0.01) }
    }

    static let cases: [Case] = {
        let integrated: @Sendable (LoudnessMeasurement) -> Double? = { $0.integratedLUFS }
        let shortTerm: @Sendable (LoudnessMeasurement) -> Double? = { $0.maxShortTermLUFS }
        let momentary: @Sendable (LoudnessMeasurement) -> Double? = { $0.maxMomentaryLUFS }
        let truePeak: @Sendable (LoudnessMeasurement) -> Double? = { $0.truePeakDBTP }
        let range: @Sendable (LoudnessMeasurement) -> Double? = { $0.loudnessRangeLU }
        var repeated9 = Signal(sampleRate: 48_000)
        for _ in 0..<5 { repeated9 = repeated9.followed(by: tones((1.34, -20), (1.66, -30))) }
        var repeated12 = Signal(sampleRate: 48_000)
        for _ in 0..<25 { repeated12 = repeated12.followed(by: tones((0.18, -20), (0.22, -30))) }
        var cases = [
            Case(testDescription: "3341-1 I", signal: tones((20, -23)), value: integrated, expected: -23),
            Case(testDescription: "3341-1 M", signal: tones((20, -23)), value: momentary, expected: -23),
            Case(testDescription: "3341-1 S", signal: tones((20, -23)), value: shortTerm, expected: -23),
            Case(testDescription: "3341-2 I", signal: tones((20, -33)), value: integrated, expected: -33),
            Case(
                testDescription: "3341-3", signal: tones((10, -36), (60, -23), (10, -36)), value: integrated,
                expected: -23),
            Case(
                testDescription: "3341-4",
                signal: tones((10, -72), (10, -36), (60, -23), (10, -36), (10, -72)),
                value: integrated, expected: -23),
            Case(
                testDescription: "3341-5", signal: tones((20, -26), (20.1, -20), (20, -26)),
                value: integrated,
                expected: -23),
            Case(testDescription: "3341-9", signal: repeated9, value: shortTerm, expected: -23),
            Case(testDescription: "3341-12", signal: repeated12, value: momentary, expected: -23),
        ]
        for (number, signal) in [
            (15, peak(4, degrees: 0)), (16, peak(4, degrees: 45)), (17, peak(6, degrees: 60)),
            (18, peak(8, degrees: 67.5)),
        ] {
            cases.append(
                Case(
                    testDescription: "3341-\(number)", signal: signal, value: truePeak, expected: -6,
                    tolerance: -0.4...0.2))
        }
        for (number, levels, expected) in [
            (1, [-20.0, -30], 10.0), (2, [-20, -15], 5), (3, [-40, -20], 20),
            (4, [-50, -35, -20, -35, -50], 15),
        ] {
            let signal = levels.reduce(Signal(sampleRate: 48_000)) { $0.sine(1000, peakDB: $1, 20) }
            cases.append(
                Case(
                    testDescription: "3342-\(number)", signal: signal, value: range, expected: expected,
                    tolerance: -1...1))
        }
        for index in [0, 7, 19] {
            let offset = Double(index)
            cases.append(
                Case(
                    testDescription: "3341-10/\(index)",
                    signal: Signal(sampleRate: 48_000).silence(offset * 0.15).sine(1000, peakDB: -23, 3)
                        .silence(1),
                    value: shortTerm, expected: -23))
            cases.append(
                Case(
                    testDescription: "3341-13/\(index)",
                    signal: Signal(sampleRate: 48_000).silence(offset * 0.02).sine(1000, peakDB: -23, 0.4)
                        .silence(1),
                    value: momentary, expected: -23))
            cases.append(
                Case(
                    testDescription: "3341-11/\(index)",
                    signal: Signal(sampleRate: 48_000).silence(offset * 0.15).sine(
                        1000, peakDB: -38 + offset, 3
                    ).silence(
                        3 - offset * 0.15), value: shortTerm, expected: -38 + offset))
            cases.append(
                Case(
                    testDescription: "3341-14/\(index)",
                    signal: Signal(sampleRate: 48_000).silence(offset * 0.02).sine(
                        1000, peakDB: -38 + offset, 0.4
                    ).silence(
                        0.4 - offset * 0.02), value: momentary, expected: -38 + offset))
        }
        return cases
    }()

    @Test("The cases of EBU Tech 3341 and 3342 for stereo", arguments: cases)
    func standard(_ test: Case) throws {
        let loudness = try loudness(Encoders.lame(stereo(test.signal), ["-b", "320", "--resample", "48"]))
        let found = try #require(test.value(loudness))
        #expect(test.tolerance.contains(found - test.expected), "\(found), not \(test.expected)")
    }

    @Test(
        "ffmpeg and loudgain give the same values",
        arguments: [(1, ["-V", "2"]), (2, ["-b", "128"]), (3, ["-b", "320"])])
    func otherTools(seed: Int, options: [String]) throws {
        let bytes = try Encoders.lame(PCM.music(frameCount: 44_100 * 30, seed: UInt64(seed)), options)
        let ours = try loudness(bytes)
        let gain = try #require(ours.replayGainDB)
        let (integrated, truePeak) = (try #require(ours.integratedLUFS), try #require(ours.truePeakDBTP))
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, as: "a.mp3")

        let ffmpeg = try ProcessRun.run(
            "ffmpeg",
            [
                "-hide_banner", "-nostats", "-i", path, "-map", "0:a", "-af", "ebur128=peak=true", "-f",
                "null", "-",
            ])
        let summary = try #require(
            String(decoding: ffmpeg.errors, as: UTF8.self).components(separatedBy: "Summary:").last)
        func number(_ pattern: Regex<(Substring, Substring)>) throws -> Double {
            let match = try #require(summary.firstMatch(of: pattern))
            return try #require(Double(match.1))
        }
        // ffmpeg prints one decimal.
        #expect(try abs(number(#/I: +(-?[\d.]+) LUFS/#) - integrated) <= 0.1 + 0.05)
        #expect(try abs(number(#/LRA: +(-?[\d.]+) LU/#) - ours.loudnessRangeLU) <= 1)
        #expect(try abs(number(#/Peak: +(-?[\d.]+) dBFS/#) - truePeak) <= 0.3 + 0.05)

        let loudgain = try ProcessRun.run("loudgain", ["-O", "-q", path])
        let cells = try #require(loudgain.text.split(separator: "\n").last).split(separator: "\t")
        func value(_ cell: Int) throws -> Double {
            try #require(Double(cells[cell].split(separator: " ")[0]))
        }
        #expect(try abs(value(1) - integrated) <= 0.1)
        #expect(try abs(value(4) - truePeak) <= 0.3)
        #expect(try abs(value(8) - gain) <= 0.1)
    }

    private func loudness(_ bytes: [UInt8]) throws -> LoudnessMeasurement {
        let directory = try TemporaryDirectory()
        let file = try MappedFile(path: Array(directory.write(bytes, as: "a.mp3").utf8))
        guard
            case .analyzed(let analysis, _) = try TrackAnalyzer().analyze(
                file, neededParts: { _ in .profile })
        else {
            throw AnalyzerError(.noAudio, "no analysis")
        }
        return try #require(analysis.profile).loudness
    }

    /// In phase on both channels.
    private func stereo(_ signal: Signal) -> PCM {
        PCM(
            sampleRate: Int(signal.sampleRate), channelCount: 2,
            samples: signal.samples.flatMap { sample in
                let value = Int16((Double(sample) * 32_767).rounded())
                return [value, value]
            })
    }
}
