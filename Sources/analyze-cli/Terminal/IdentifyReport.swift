import AcoustID
import CommandLineProgram
import Foundation
import LibraryStore
import MusicFiles
import MusicShared
import Tagging

/// Output of `identify`: lines of text or a JSON line per file on standard output, failures on standard error, and totals.
struct IdentifyReport {
    private let isApplied: Bool
    private let printsJSON: Bool
    private let isQuiet: Bool
    private var changedCount = 0
    private var rightCount = 0
    private var unknownCount = 0
    private(set) var failedCount = 0

    init(isApplied: Bool, printsJSON: Bool, isQuiet: Bool) {
        self.isApplied = isApplied
        self.printsJSON = printsJSON
        self.isQuiet = isQuiet
    }

    mutating func add(_ track: CatalogueTrack, _ proposal: TagProposal) throws {
        var line = Line(relativePath: track.path.text, outcome: "unknown")
        switch proposal {
        case .unknown: unknownCount += 1
        case .ambiguous(let recordings):
            unknownCount += 1
            line.outcome = "ambiguous"
            line.candidates = recordings.prefix(10).map { Line.Candidate($0, release: nil) }
        case .recording(let recording, let release, let edit):
            line.recording = Line.Candidate(recording, release: release)
            line.changes = Self.changes(edit)
            if edit.isEmpty { rightCount += 1 } else { changedCount += 1 }
            line.outcome = edit.isEmpty ? "right" : isApplied ? "written" : "proposed"
        }
        if printsJSON {
            Terminal.print(try JSONLine.text(line))
        } else if !isQuiet {
            print(line, track.tags)
        }
    }

    mutating func add(_ path: RelativePath, code: String, message: String) throws {
        failedCount += 1
        if printsJSON {
            var line = Line(relativePath: path.text, outcome: "failed")
            line.error = .init(code: code, message: message)
            Terminal.print(try JSONLine.text(line))
        }
        Terminal.complain("failed     \(Terminal.harmless(path.text)): \(Terminal.harmless(message))")
    }

    /// Reports a given file or folder that is not in the library.
    mutating func missing(_ place: RelativePath) throws {
        try add(place, code: "not_found", message: "no such track in the library")
    }

    func summarize() {
        guard !isQuiet else { return }
        Terminal.complain(
            "\(changedCount) \(isApplied ? "tagged" : "to tag"), \(rightCount) already correct, "
                + "\(unknownCount) unknown, \(failedCount) failed")
        if !isApplied, changedCount > 0 {
            Terminal.complain("nothing was changed; use --apply to write these tags")
        }
    }

    private func print(_ line: Line, _ tags: TrackTags) {
        let word = line.outcome.padding(toLength: 9, withPad: " ", startingAt: 0)
        Terminal.print("\(word)  \(Terminal.harmless(line.relativePath))")
        for candidate in [line.recording].compactMap(\.self) + (line.candidates ?? []) {
            let name = Terminal.harmless("\(candidate.artist) – \(candidate.title)")
            Terminal.print(
                "           \(name)  (\(Int((100 * candidate.score).rounded())) %, "
                    + "musicbrainz.org/recording/\(candidate.recordingID))")
        }
        let old = ["title": tags.title, "artist": tags.artist, "album": tags.album]
        for (field, text) in (line.changes ?? [:]).sorted(by: { $0.key > $1.key }) {
            let before = (old[field] ?? nil).map { "\"\($0)\"" } ?? "none"
            Terminal.print(Terminal.harmless("           \(field): \(before) → \"\(text)\""))
        }
    }

    private static func changes(_ edit: TagEdit) -> [String: String] {
        [("title", edit.title), ("artist", edit.artist), ("album", edit.album)].reduce(into: [:]) {
            if case .set(let text) = $1.1 { $0[$1.0] = text }
        }
    }

    /// A line of `--json` output.
    private struct Line: Encodable {
        struct Candidate: Encodable {
            let recordingID: String
            let title: String
            let artist: String
            let score: Double
            let releaseID: String?
            let release: String?

            init(_ recording: AcoustIDRecording, release: AcoustIDRecording.Release?) {
                recordingID = recording.id
                title = recording.title
                artist = recording.artist
                score = recording.score
                releaseID = release?.id
                self.release = release?.title
            }

            private enum CodingKeys: String, CodingKey {
                case title, artist, score, release
                case recordingID = "musicbrainz_recording_id"
                case releaseID = "musicbrainz_release_id"
            }
        }

        let relativePath: String
        var outcome: String
        var recording: Candidate?
        var candidates: [Candidate]?
        var changes: [String: String]?
        var error: FailureReport.Reason?

        init(relativePath: String, outcome: String) {
            self.relativePath = relativePath
            self.outcome = outcome
        }

        private enum CodingKeys: String, CodingKey {
            case outcome, recording, candidates, changes, error
            case relativePath = "relative_path"
        }
    }
}
