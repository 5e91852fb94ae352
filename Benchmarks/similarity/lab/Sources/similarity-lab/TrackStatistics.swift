@testable import Analyzer
import Foundation
@testable import MusicalStructure

/// The statistics from which descriptors are projected, of a whole track and of its parts.
///
/// A file NAME.f32 holds four vectors in a row: of the whole track, its first and its second half, and of what is left without the
/// first ten seconds, which start between two spectra of the whole.
enum TrackStatistics {
    private static let sampleRate = 44_100
    /// Ten seconds and a quarter of the distance between two spectra of the rhythm.
    private static let cutSamples = 441_000 + 184

    static func write(of folder: String, to target: String) throws {
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        where name.hasSuffix(".mp3") {
            let file = "\(target)/\(name.dropLast(4)).f32"
            if FileManager.default.fileExists(atPath: file) { continue }
            let mono = try decode("\(folder)/\(name)")
            let middle = mono.count / 2
            guard middle > cutSamples else { continue }
            let parts = [
                mono[...], mono[..<middle], mono[middle...], mono[cutSamples...],
            ].compactMap { statistics(Array($0)) }
            // Files with a silent half have none.
            guard parts.count == 4 else { continue }
            try parts.flatMap { $0 }.withUnsafeBytes { try Data($0).write(to: URL(filePath: file)) }
        }
    }

    private static func statistics(_ mono: [Float]) -> [Float]? {
        let perSecond = ProfileMeasurements.spectraPerSecond
        let every = perSecond / VisualizerSpectra.standardFramesPerSecond
        let spectra = SpectrumAnalyzer(
            sampleRate: Double(sampleRate), framesPerSecond: Double(perSecond))
        let bands = BandLevels(
            layout: BandLayout(), sampleRate: Double(sampleRate), fftSize: spectra.fftSize)
        let key = KeyDetector(sampleRate: Double(sampleRate))
        var onsets = OnsetEnvelope(
            sampleRate: Double(sampleRate), fftSize: spectra.fftSize, framesPerSecond: Double(perSecond))
        var sound = SonicFeatures()
        var row: [UInt8] = []
        func take(_ index: Int, _ power: UnsafeBufferPointer<Float>) {
            onsets.consume(power: power)
            guard index % every == 0 else { return }
            row.removeAll(keepingCapacity: true)
            bands.append(power: power, to: &row)
            row.withUnsafeBufferPointer { sound.consume($0) }
        }
        mono.withUnsafeBufferPointer { mono in
            for start in stride(from: 0, to: mono.count, by: 4096) {
                let block = UnsafeBufferPointer(rebasing: mono[start..<min(start + 4096, mono.count)])
                key.consume(block)
                spectra.consume(block, take)
            }
        }
        spectra.finish(take)
        guard let vector = sound.vector(), let tones = key.statistics,
            let rhythm = PulsePeriodicity(onsets)?.statistics
        else { return nil }
        return vector + tones + rhythm
    }

    /// Returns the mono mix of a stereo MP3 file, decoded gaplessly by mpg123.
    private static func decode(_ path: String) throws -> [Float] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["mpg123", "-q", "-e", "f32", "-s", path]
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
}
