import Analyzer
import Companion
import Foundation
import LibraryStore
import Tagging

/// Writes analyses and frames of many tracks into the stores, as a pass does, without decoding any.
///
///     store-benchmark DATA-FOLDER FILE TRACKS FRAME-ROWS BATCH
///
/// Stores the analysis of one MP3 file repeatedly, each time with another hash and other tags, and with the first rows of its
/// frames. Prints the seconds for the records and for the checkpoints at the end.
@main
enum StoreBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 6, let tracks = Int(arguments[3]), let rows = Int(arguments[4]),
            let batch = Int(arguments[5]), tracks > 0, rows >= 0, batch > 0
        else {
            print("usage: store-benchmark DATA-FOLDER FILE TRACKS FRAME-ROWS BATCH")
            exit(64)
        }
        let outcome = try TrackAnalyzer().analyze(MappedFile(path: Array(arguments[2].utf8)))
        guard case .analyzed(var analysis, let offset) = outcome, let measured = analysis.frames else {
            exit(1)
        }
        var frames = try measured.inMemory()
        frames.levels = Array(frames.levels.prefix(rows * frames.bandCount))
        analysis.frames = rows > 0 ? MeasuredSpectra(frames) : nil
        let data = try DataFolder(path: arguments[1])
        let library = try LibraryStore(data)
        let store = try SpectrumStore(data)
        let recorder = AnalysisRecorder(library: library, frames: store)
        let clock = ContinuousClock()
        let records = try clock.measure {
            for start in stride(from: 0, to: tracks, by: batch) {
                let records = (start..<min(start + batch, tracks)).compactMap {
                    Self.record(number: $0, analysis, offset)
                }
                _ = try recorder.record(records) { _ in true }
            }
        }
        let checkpoints = try clock.measure {
            try library.checkpoint()
            try store.checkpoint()
        }
        print(records / .seconds(1), checkpoints / .seconds(1))
    }

    /// Returns a distinct track record: ten tracks per album, twenty per artist.
    private static func record(number: Int, _ analysis: TrackAnalysis, _ offset: Int) -> TrackRecord? {
        // Distributed like hashes, and unique.
        let scattered = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        let bytes = withUnsafeBytes(of: (scattered.bigEndian, UInt64(number))) { Array($0) }
        let name = "Artist \(number / 20)/Album \(number / 10)/\(number % 10) Title \(number).mp3"
        guard let hash = AudioHash(bytes: bytes), let path = RelativePath(bytes: Array(name.utf8)) else {
            return nil
        }
        var analysis = analysis
        analysis.audioHash = hash
        var tags = TrackTags()
        tags.title = "Title \(number)"
        tags.artist = "Artist \(number / 20)"
        tags.album = "Album \(number / 10)"
        return TrackRecord(
            path: path, file: FileState(size: 4_000_000 + number, modificationTimeNanoseconds: number),
            audioHash: hash, tags: tags, analysis: analysis, payloadOffset: offset)
    }
}
