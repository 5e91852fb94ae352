@testable import Analyzer
@testable import MusicalStructure
import Foundation

/// Runs the parts of the tempo estimator on the corpus of a cache folder, for training and for measuring CPU time.
///
///     tempo-lab envelopes CACHE     pieces/*.mp3 → envelopes/*.env and features of beats and bars, envelopes/*.u8, with the CPU
///                                   time of spectra, envelope and attacks
///     tempo-lab features CACHE      envelopes → features/*.f32, candidates × features
///     tempo-lab track CACHE         envelopes → tracked.json, the tracked beats of each piece for training at its true tempo
///     tempo-lab estimate CACHE      envelopes → CPU time of the estimate; envelopes hold no attacks, whose search takes little
@main
struct TempoLab {
    static let framesPerSecond = Double(ProcessInfo.processInfo.environment["TEMPO_FPS"] ?? "") ?? 60
    static let sampleRate = 44_100.0

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("usage: tempo-lab envelopes|features|track|estimate CACHE")
            exit(2)
        }
        let cache = URL(fileURLWithPath: arguments[2])
        switch arguments[1] {
        case "envelopes": try makeEnvelopes(cache)
        case "features": try writeFeatures(cache)
        case "track": try writeTrackedBeats(cache)
        default: try estimate(cache)
        }
    }

    static func names(_ folder: URL, _ suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }
            .map { String($0.dropLast(suffix.count)) }.sorted()
    }

    static func cpuSeconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

    static func makeEnvelopes(_ cache: URL) throws {
        let folder = cache.appendingPathComponent("envelopes")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var audioSeconds = 0.0
        var cpu = 0.0
        var fftCPU = 0.0
        for name in try names(cache.appendingPathComponent("pieces"), ".mp3") {
            let target = folder.appendingPathComponent(name + ".env")
            if FileManager.default.fileExists(atPath: target.path) { continue }
            let mono = try decode(cache.appendingPathComponent("pieces/\(name).mp3"))
            let start = cpuSeconds()
            var envelope = OnsetEnvelope(
                sampleRate: sampleRate, fftSize: 1024, framesPerSecond: framesPerSecond)
            spectra(mono) { envelope.consume(power: $0) }
            mono.withUnsafeBufferPointer { envelope.consume(samples: $0) }
            let middle = cpuSeconds()
            spectra(mono) { _ in }
            fftCPU += cpuSeconds() - middle
            cpu += middle - start
            audioSeconds += Double(mono.count) / sampleRate
            try store(envelope, at: target)
        }
        for (name, mono) in ClickTracks.all {
            var envelope = OnsetEnvelope(
                sampleRate: sampleRate, fftSize: 1024, framesPerSecond: framesPerSecond)
            spectra(mono()) { envelope.consume(power: $0) }
            let target = folder.appendingPathComponent(name + ".env")
            try store(envelope, at: target)
        }
        guard audioSeconds > 0 else { return }
        print(
            "spectra, envelope and attacks: \(cpu / audioSeconds * 3600) CPU s per hour, of it spectra "
                + "\(fftCPU / audioSeconds * 3600), over \(audioSeconds / 3600) h")
    }

    static func store(_ envelope: OnsetEnvelope, at file: URL) throws {
        try envelope.strengths.withUnsafeBytes { try Data($0).write(to: file) }
        let features = file.deletingPathExtension().appendingPathExtension("u8")
        try envelope.features.frames.withUnsafeBytes { try Data($0).write(to: features) }
    }

    static func spectra(_ mono: [Float], _ body: (UnsafeBufferPointer<Float>) -> Void) {
        let analyzer = SpectrumAnalyzer(sampleRate: sampleRate, framesPerSecond: framesPerSecond)
        mono.withUnsafeBufferPointer { mono in
            for start in stride(from: 0, to: mono.count, by: 4096) {
                let block = UnsafeBufferPointer(rebasing: mono[start..<min(start + 4096, mono.count)])
                analyzer.consume(block) { body($1) }
            }
        }
        analyzer.finish { body($1) }
    }

    /// Returns the mono mix of a 44.1 kHz stereo MP3, decoded gaplessly by mpg123.
    static func decode(_ file: URL) throws -> [Float] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["mpg123", "-q", "-e", "f32", "-s", file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data.withUnsafeBytes { bytes in
            let samples = bytes.bindMemory(to: Float.self)
            return (0..<samples.count / 2).map { 0.5 * (samples[2 * $0] + samples[2 * $0 + 1]) }
        }
    }

    static func loadEnvelope(_ cache: URL, _ name: String) throws -> OnsetEnvelope {
        let data = try Data(contentsOf: cache.appendingPathComponent("envelopes/\(name).env"))
        var envelope = OnsetEnvelope(sampleRate: sampleRate, fftSize: 1024, framesPerSecond: framesPerSecond)
        envelope.strengths = data.withUnsafeBytes { Array($0.bindMemory(to: SIMD4<UInt16>.self)) }
        let features = try Data(contentsOf: cache.appendingPathComponent("envelopes/\(name).u8"))
        envelope.features.frames = features.withUnsafeBytes { Array($0.bindMemory(to: SIMD16<UInt8>.self)) }
        return envelope
    }

    static func writeFeatures(_ cache: URL) throws {
        let folder = cache.appendingPathComponent("features")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in try names(cache.appendingPathComponent("envelopes"), ".env") {
            let whole = try loadEnvelope(cache, name)
            // For training, the halves of a piece are two additional samples of its tempo.
            let middle = whole.strengths.count / 2
            let parts = [
                "": whole.strengths[...], "+1": whole.strengths[..<middle], "+2": whole.strengths[middle...],
            ]
            for (suffix, strengths) in parts {
                var envelope = whole
                envelope.strengths = Array(strengths)
                let periodicity = PulsePeriodicity(
                    groups: OnsetGroup.all(of: envelope), framesPerSecond: envelope.framesPerSecond)
                let features = TempoModel.features(of: periodicity).flatMap { $0 }
                try features.withUnsafeBytes {
                    try Data($0).write(to: folder.appendingPathComponent(name + suffix + ".f32"))
                }
            }
        }
    }

    /// Writes the tracked beats of the pieces for training, at their true tempi, in frames.
    static func writeTrackedBeats(_ cache: URL) throws {
        var tracked: [String: [Double]] = [:]
        for (name, bpm) in try trainingTempi(cache) {
            let envelope = try loadEnvelope(cache, name)
            let groups = OnsetGroup.all(of: envelope)
            let periodicity = PulsePeriodicity(groups: groups, framesPerSecond: framesPerSecond)
            let timeline = BeatTimeline(
                tracker: BeatTracker(groups: groups), periodFrames: periodicity.refinedPeriod(bpm: bpm),
                framesPerSecond: framesPerSecond, latencySeconds: TempoEstimator.latencySeconds)
            guard let timeline, timeline.beatSeconds.count >= 8 else { continue }
            tracked[name] = timeline.beatSeconds
        }
        try JSONSerialization.data(withJSONObject: tracked).write(
            to: cache.appendingPathComponent("tracked.json"))
    }

    /// Returns name and true tempo of the pieces for training: the tuning half, composed pieces, scores and click tracks.
    private static func trainingTempi(_ cache: URL) throws -> [(String, Double)] {
        struct Piece: Decodable {
            let name: String
            let bpm: Double
            let half: String
        }
        let lists = try ["corpus", "composed", "scores", "grooves", "styles"].flatMap { list in
            let data = try Data(contentsOf: cache.appendingPathComponent(list + ".json"))
            return try JSONDecoder().decode([Piece].self, from: data)
        }
        let clicks = ClickTracks.all.map { ($0.name, Double($0.name.split(separator: "-")[1]) ?? 0) }
        return lists.filter { $0.half != "report" }.map { ($0.name, $0.bpm) } + clicks
    }

    static func estimate(_ cache: URL) throws {
        var audioSeconds = 0.0
        var cpu = 0.0
        for name in try names(cache.appendingPathComponent("envelopes"), ".env") {
            let envelope = try loadEnvelope(cache, name)
            let start = cpuSeconds()
            _ = TempoEstimator.estimate(envelope)
            cpu += cpuSeconds() - start
            audioSeconds += Double(envelope.frameCount) / framesPerSecond
        }
        print("estimate: \(cpu / audioSeconds * 3600) CPU s per hour, for \(audioSeconds / 3600) h")
    }
}
