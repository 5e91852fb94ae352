@testable import Analyzer
@testable import MusicalStructure
import Foundation

/// Writes what the phrase finder sees, for training: pieces/*.mp3 → phrases/*.json (tempo, beats, bars, boundaries found) and
/// phrases/*.f32 (the values of each beat) and phrases/*.u8 (the features of each frame).
///
///     phrase-lab CACHE
///
/// Also prints the CPU time of the phrases.
@main
struct PhraseLab {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: phrase-lab CACHE")
            exit(2)
        }
        let cache = URL(fileURLWithPath: CommandLine.arguments[1])
        let pieces = cache.appendingPathComponent("pieces")
        let folder = cache.appendingPathComponent("phrases")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var phraseClocks = 0
        var seconds = 0.0
        for file in try FileManager.default.contentsOfDirectory(atPath: pieces.path).sorted()
        where file.hasSuffix(".mp3") {
            let target = folder.appendingPathComponent(String(file.dropLast(4)))
            if FileManager.default.fileExists(atPath: target.path + ".json") { continue }
            let samples = try decode(pieces.appendingPathComponent(file))
            let spectra = SpectrumAnalyzer(sampleRate: 44_100, framesPerSecond: 60)
            var envelope = OnsetEnvelope(sampleRate: 44_100, fftSize: spectra.fftSize, framesPerSecond: 60)
            let detector = KeyDetector(sampleRate: 44_100)
            samples.withUnsafeBufferPointer { samples in
                for start in stride(from: 0, to: samples.count, by: 4096) {
                    let block = UnsafeBufferPointer(
                        rebasing: samples[start..<min(start + 4096, samples.count)])
                    spectra.consume(block) { envelope.consume(power: $1) }
                    detector.consume(block)
                }
            }
            spectra.finish { envelope.consume(power: $1) }
            let start = clock()
            let both = TempoEstimator.estimate(envelope, chroma: detector.chroma)
            let middle = clock()
            let bare = TempoEstimator.estimate(envelope)
            phraseClocks += (middle - start) - (clock() - middle)
            guard both?.tempo.bpm == bare?.bpm else { fatalError("the tempo depends on the phrases") }
            guard let periodicity = PulsePeriodicity(envelope),
                let (tempo, scores) = TempoEstimator.estimateWithBars(envelope, periodicity)
            else { continue }
            let sound = BeatSound(
                beatSeconds: tempo.beatSeconds, envelope: envelope, chroma: detector.chroma,
                latencySeconds: TempoEstimator.latencySeconds)
            let novelty = PhraseNovelty(sound, beatsPerBar: tempo.beatsPerBar ?? 4).values.flatMap { $0 }
            try novelty.withUnsafeBytes { try Data($0).write(to: target.appendingPathExtension("f32")) }
            try envelope.features.frames.withUnsafeBytes {
                try Data($0).write(to: target.appendingPathExtension("u8"))
            }
            let answer: [String: Any] = [
                "bpm": tempo.bpm, "beats": tempo.beatSeconds, "beats_per_bar": tempo.beatsPerBar ?? 0,
                "first_downbeat": tempo.firstDownbeat ?? 0, "bar_confidence": tempo.barConfidence ?? 0,
                "beat_confidence": tempo.beatConfidence ?? 0, "bar_scores": scores,
                "downbeat_scores": TempoEstimator.downbeatScores(tempo, envelope: envelope, sound: sound),
                "bpm_confidence": tempo.confidence,
                "chroma": detector.chroma.frames.map { frame in (0..<12).map { Int(frame[$0]) } },
                "first_seconds": detector.chroma.firstSeconds, "seconds": detector.chroma.secondsPerFrame,
            ]
            try JSONSerialization.data(withJSONObject: answer).write(
                to: target.appendingPathExtension("json"))
            seconds += Double(samples.count) / 44_100
        }
        let cpu = Double(phraseClocks) / Double(CLOCKS_PER_SEC)
        print("phrases: \(cpu / max(1, seconds) * 3600) CPU s per hour of audio, over \(seconds / 3600) h")
    }

    /// Returns the mono mix of an MP3, decoded gaplessly by mpg123 at 44.1 kHz.
    static func decode(_ file: URL) throws -> [Float] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["mpg123", "-q", "-m", "-r", "44100", "-e", "f32", "-s", file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
}
