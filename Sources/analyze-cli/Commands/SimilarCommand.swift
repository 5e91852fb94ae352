import Companion
import CommandLineProgram
import Foundation
import LibraryStore

/// `analyze-cli similar TRACK`: lists the tracks that sound most like one.
struct SimilarCommand {
    private let data: DataOption
    private let name: String
    private let count: Int
    private let otherArtists: Bool
    private let printsJSON: Bool

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var count = 20
        var flags: Set<String> = []
        let settings = try arguments.takeSettings(
            for: .analyzer, only: DataOption.names, flags: ["--json", "--other-artists"],
            valued: ["--count"]
        ) { name, value in
            if name == "--count" {
                count = try OptionValue.integer(value, in: 1...1000, for: name)
            } else {
                flags.insert(name)
            }
        }
        name = try arguments.operands(1...100, named: "a track: its path, ID, or words from its title")
            .joined(separator: " ")
        data = DataOption(settings)
        self.count = count
        otherArtists = flags.contains("--other-artists")
        printsJSON = flags.contains("--json")
    }

    func run() throws -> ExitCode {
        let library = try LibraryStore(reading: try data.existingFolder())
        let found = try TrackLookup(library).find(name)
        guard case .track(let track) = found else {
            Terminal.complain(found.explanation(of: name))
            return .someFailed
        }
        let sounds = try SimilarTracks(library).current
        guard sounds.contains(track.track.id) else {
            Terminal.complain(
                "the sound of \(Terminal.harmless(track.track.path.text)) is not known: it is missing, shorter than a "
                    + "second, or not analysed by this version; run a pass over the music folder")
            return .someFailed
        }
        for found in sounds.similar(to: [track.track.id], count: count, otherArtists: otherArtists) {
            guard let track = try library.track(id: found.id) else { continue }
            try print(TrackReport(track), found)
        }
        return .success
    }

    private struct Line: Encodable {
        let id: Int
        let relativePath: String
        let title: String?
        let artist: String?
        let similarity: Double

        private enum CodingKeys: String, CodingKey {
            case id
            case relativePath = "relative_path"
            case title, artist, similarity
        }
    }

    private func print(_ track: TrackReport, _ found: FoundTrack) throws {
        let path = track.text("relative_path") ?? ""
        guard !printsJSON else {
            let line = Line(
                id: found.id, relativePath: path, title: track.text("title"), artist: track.text("artist"),
                similarity: (found.similarity * 10_000).rounded() / 10_000)
            return Terminal.print(try JSONLine.text(line))
        }
        let title = track.text("title") ?? String(path.split(separator: "/").last ?? "")
        let name = [track.text("artist"), title].compactMap { $0 }.joined(separator: " – ")
        let id = String(found.id)
        Terminal.print(
            String(format: "%5.1f %%", found.similarity * 100)
                + String(repeating: " ", count: max(1, 8 - id.count)) + id + "  " + Terminal.harmless(name))
    }
}
