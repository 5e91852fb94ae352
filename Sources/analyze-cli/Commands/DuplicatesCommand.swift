import Analyzer
import Companion
import CommandLineProgram
import Foundation
import LibraryStore
import MusicFiles
import MusicShared
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
        var (count, bytes, failed, uncertain) = (0, 0, 0, 0)
        for group in groups {
            var removed: [String: Bool] = [:]
            if let removal {
                for copy in group.certainCopies {
                    let isRemoved = removal.remove(copy, of: group.best)
                    removed[copy.track.path.text] = isRemoved
                    if !isRemoved { failed += 1 }
                }
            }
            let moved = group.certainCopies.filter { removed[$0.track.path.text] != false }
            count += moved.count
            uncertain += group.copies.count - group.certainCopies.count
            bytes += moved.reduce(0) { $0 + $1.track.file.size }
            if printsJSON {
                Terminal.print(try JSONLine.text(Self.report(group, removed: removal == nil ? nil : removed)))
            } else {
                print(group, removed)
            }
        }
        guard !printsJSON else { return failed > 0 ? .someFailed : .success }
        summarize(groups.count, count, bytes)
        if uncertain > 0 {
            let files = uncertain == 1 ? "1 file" : "\(uncertain) files"
            Terminal.print("\(files) may be copies or other mixes: compare them by ear")
        }
        return failed > 0 ? .someFailed : .success
    }

    private static func report(_ group: DuplicateGroup, removed: [String: Bool]?) -> DuplicateReport {
        var report = DuplicateReport(group)
        guard let removed else { return report }
        for index in report.copies.indices {
            report.copies[index].isMoved = removed[report.copies[index].relativePath]
        }
        return report
    }

    private func print(_ group: DuplicateGroup, _ removed: [String: Bool]) {
        let tags = group.best.track.tags
        let name = [tags.artist, tags.title].compactMap(\.self).joined(separator: " – ")
        Terminal.print(Terminal.harmless(name.isEmpty ? group.best.track.path.text : name))
        Terminal.print("  keep   " + Self.line(group.best, isBest: true))
        for copy in group.copies {
            let word =
                switch removed[copy.track.path.text] {
                case true: "moved  "
                case false: "failed "
                case nil: copy.isCertain ? "copy   " : "maybe  "
                }
            Terminal.print("  " + word + Self.line(copy, isBest: false))
        }
        Terminal.print("")
    }

    private static func line(_ file: DuplicateGroup.File, isBest: Bool) -> String {
        let size = ByteCountFormatStyle(style: .decimal).format(Int64(file.track.file.size))
        var facts = [
            "\(file.averageBitRate / 1000) kbit/s", Duration.clock(file.durationSeconds), size,
        ]
        if file.damagedFrameCount > 0 { facts.append("\(file.damagedFrameCount) damaged frames") }
        if !isBest {
            let percent = file.difference.formatted(.percent.precision(.fractionLength(1)))
            facts.append(file.difference == 0 ? "same audio" : "differs in \(percent) of the fingerprint")
        }
        return Terminal.harmless(file.track.path.text) + "  (" + facts.joined(separator: ", ") + ")"
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
        func remove(_ copy: DuplicateGroup.File, of best: DuplicateGroup.File) -> Bool {
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
