import Analyzer
import Companion
import ConsoleProgram
import Foundation
import LibraryStore
import MusicFiles
import Settings
import Tagging

/// `analyze-cli duplicates`: lists files with the same recording, and moves all but the best to the trash.
struct DuplicatesCommand {
    private let data: DataOption
    private let printsJSON: Bool
    /// The music folder whose copies are moved to the trash; nil to list them only.
    private let music: String?

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var printsJSON = false
        var music: String?
        let settings = try arguments.takeSettings(
            for: .analyzer, only: DataOption.names, flags: ["--json"], valued: ["--trash"]
        ) { name, value in
            if name == "--trash" { music = value } else { printsJSON = true }
        }
        _ = try arguments.operands(0...0, named: "the music folder with --trash")
        data = DataOption(settings)
        self.printsJSON = printsJSON
        self.music = music
    }

    func run() throws -> ExitCode {
        let folder = try data.existingFolder()
        let groups = try DuplicateFinder(
            library: try LibraryStore(reading: folder), spectra: try SpectrumStore(folder)
        ).groups()
        let removal = try music.map { try Removal(music: $0, data: folder) }
        var (count, bytes, failed) = (0, 0, 0)
        for group in groups {
            var removed: [String: Bool] = [:]
            if let removal {
                for copy in group.copies {
                    let isRemoved = removal.remove(copy.track, of: group.best)
                    removed[copy.track.track.path.text] = isRemoved
                    if !isRemoved { failed += 1 }
                }
            }
            let moved = group.copies.filter { removed[$0.track.track.path.text] != false }
            count += moved.count
            bytes += moved.reduce(0) { $0 + $1.track.track.file.size }
            if printsJSON {
                Terminal.print(
                    try JSONLine.text(DuplicateReport(group, removed: removal == nil ? nil : removed)))
            } else {
                print(group, removed)
            }
        }
        guard !printsJSON else { return failed > 0 ? .someFailed : .success }
        summarize(groups.count, count, bytes)
        return failed > 0 ? .someFailed : .success
    }

    private func print(_ group: DuplicateGroup, _ removed: [String: Bool]) {
        let tags = group.best.track.tags
        let name = [tags.artist, tags.title].compactMap(\.self).joined(separator: " – ")
        Terminal.print(Terminal.harmless(name.isEmpty ? group.best.track.path.text : name))
        Terminal.print("  keep   " + Self.line(group.best, difference: nil))
        for copy in group.copies {
            let word =
                switch removed[copy.track.track.path.text] {
                case true: "moved  "
                case false: "failed "
                case nil: "copy   "
                }
            Terminal.print("  " + word + Self.line(copy.track, difference: copy.difference))
        }
        Terminal.print("")
    }

    private static func line(_ track: AnalysedTrack, difference: Double?) -> String {
        let stream = track.analysis?.stream
        let rate = "\((stream?.averageBitRate ?? 0) / 1000) kbit/s"
        let size = ByteCountFormatStyle(style: .decimal).format(Int64(track.track.file.size))
        var facts = [rate, Duration.clock(stream?.durationSeconds ?? 0), size]
        if let damaged = stream?.damagedFrameCount, damaged > 0 { facts.append("\(damaged) damaged frames") }
        if let difference {
            let percent = difference.formatted(.percent.precision(.fractionLength(1)))
            facts.append(difference == 0 ? "same audio" : "differs in \(percent) of the fingerprint")
        }
        return Terminal.harmless(track.track.path.text) + "  (" + facts.joined(separator: ", ") + ")"
    }

    private func summarize(_ groups: Int, _ count: Int, _ bytes: Int) {
        guard groups > 0 else {
            Terminal.print("no recording is in more than one file")
            return
        }
        let size = ByteCountFormatStyle(style: .decimal).format(Int64(bytes))
        let files = count == 1 ? "1 file" : "\(count) files"
        if music != nil {
            Terminal.print(
                "moved \(files) to the trash (\(size)); stars, plays and playlists go to the kept files")
        } else {
            Terminal.print("\(files) could go to the trash (\(size))")
            Terminal.print("nothing was changed; use --trash MUSIC_DIR to move them")
        }
    }

    /// Moves copies to the trash of a music folder.
    private struct Removal {
        private let removal: DuplicateRemoval
        private let binding: MusicBinding

        init(music: String, data: DataFolder) throws {
            let folder = try MusicFolder(path: music)
            binding = try MusicBinding(data, to: folder)
            let library = try LibraryStore(data)
            let queue = try AnalysisQueue(data)
            let intake = MusicIntake(
                music: folder, library: library, staging: try StagingArea(data),
                onChange: { try? queue.store.announce(removed: $0) })
            removal = DuplicateRemoval(
                library: library, listening: try ListeningStore(data), trash: MusicTrash(intake))
        }

        /// Returns whether the file was moved; prints the reason if not.
        func remove(_ copy: AnalysedTrack, of best: AnalysedTrack) -> Bool {
            do {
                _ = try removal.remove(copy, of: best)
                return true
            } catch {
                Terminal.complain("\(Terminal.harmless(copy.track.path.text)): \(error)")
                return false
            }
        }
    }
}

/// A group of files in the output of `--json`.
private struct DuplicateReport: Encodable {
    struct File: Encodable {
        let id: Int
        let relativePath: String
        let bitRate: Int?
        let durationSeconds: Double?
        let fileSizeBytes: Int
        var difference: Double?
        var isMoved: Bool?

        init(_ track: AnalysedTrack) {
            id = track.track.id
            relativePath = track.track.path.text
            bitRate = track.analysis?.stream.averageBitRate
            durationSeconds = track.analysis?.stream.durationSeconds
            fileSizeBytes = track.track.file.size
        }

        private enum CodingKeys: String, CodingKey {
            case id, difference
            case relativePath = "relative_path"
            case bitRate = "average_bit_rate_bps"
            case durationSeconds = "duration_seconds"
            case fileSizeBytes = "file_size_bytes"
            case isMoved = "is_moved"
        }
    }

    let best: File
    let copies: [File]

    init(_ group: DuplicateGroup, removed: [String: Bool]?) {
        best = File(group.best)
        copies = group.copies.map { copy in
            var file = File(copy.track)
            file.difference = (copy.difference * 10_000).rounded() / 10_000
            file.isMoved = removed?[copy.track.track.path.text]
            return file
        }
    }
}
