import CommandLineProgram
import Foundation
import MusicShared
import StreamClient
import StreamClientHost

/// The command `stream-player jukebox`: controls a host's own player.
struct JukeboxCommand {
    /// A command for the jukebox.
    private enum Action {
        case show, play, pause, shuffle, clear
        case skip(isForward: Bool)
        case playTracks([String])
        case add([String])
        case seek(Double)
        case volume(Double)
    }

    /// Longest position that can be sought, in seconds.
    private static let longestSeconds = 86_400.0

    private var folder = ClientFolder()
    private var host: String?
    private var isJSON = false
    private let action: Action

    /// - Throws: `UsageError`.
    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var (folder, host, isJSON) = (folder, host, isJSON)
        try arguments.takeOptions(flags: ["--json"], valued: ["--folder", "--host"]) { name, value in
            switch name {
            case "--folder": folder = ClientFolder(value)
            case "--host": host = value
            default: isJSON = true
            }
        }
        action = try Self.action(arguments.operands(0...1000, named: "an action"))
        (self.folder, self.host, self.isJSON) = (folder, host, isJSON)
    }

    private static func action(_ words: [String]) throws -> Action {
        guard let name = words.first else { return .show }
        let rest = Array(words.dropFirst())
        func alone(_ action: Action) throws -> Action {
            guard rest.isEmpty else { throw UsageError(message: "'jukebox \(name)' takes no arguments") }
            return action
        }
        func number(_ range: ClosedRange<Double>, _ unit: String) throws -> Double {
            guard rest.count == 1 else { throw UsageError(message: "'jukebox \(name)' takes a \(unit)") }
            return try OptionValue.number(rest[0], in: range, for: "jukebox \(name)")
        }
        switch name {
        case "play": return rest.isEmpty ? .play : .playTracks(rest)
        case "add":
            guard !rest.isEmpty else {
                throw UsageError(message: "'jukebox add' takes track:ID, album:ID or playlist:ID")
            }
            return .add(rest)
        case "pause": return try alone(.pause)
        case "next": return try alone(.skip(isForward: true))
        case "previous": return try alone(.skip(isForward: false))
        case "shuffle": return try alone(.shuffle)
        case "clear": return try alone(.clear)
        case "seek": return .seek(try number(0...longestSeconds, "position in seconds"))
        case "volume": return .volume(try number(0...100, "volume in percent"))
        default:
            throw UsageError(
                message:
                    "unknown action '\(name)': play, pause, next, previous, seek, volume, add, shuffle or clear"
            )
        }
    }

    /// - Returns: 0, or 1 if there is no track to go to.
    func run() async throws -> Int32 {
        let selection = try await folder.library(host)
        guard selection.isOnline else { return 1 }
        let connection = selection.connection
        let report: JukeboxReport
        switch action {
        case .show: report = try await connection.jukebox()
        case .play: report = try await connection.changeJukebox(JukeboxPatch(isPlaying: true))
        case .pause: report = try await connection.changeJukebox(JukeboxPatch(isPlaying: false))
        case .shuffle: report = try await connection.shuffleJukebox()
        case .clear: report = try await connection.setJukeboxQueue(JukeboxQueue(trackIDs: []))
        case .seek(let seconds):
            report = try await connection.changeJukebox(JukeboxPatch(positionSeconds: seconds))
        case .volume(let percent):
            report = try await connection.changeJukebox(JukeboxPatch(volume: percent / 100))
        case .playTracks(let words):
            let ids = try await Self.tracks(words, selection.provider)
            report = try await connection.setJukeboxQueue(
                JukeboxQueue(trackIDs: ids, index: 0, isPlaying: true))
        case .add(let words):
            report = try await connection.addToJukebox(try await Self.tracks(words, selection.provider))
        case .skip(let isForward):
            guard let changed = try await Self.skip(connection, isForward: isForward) else { return 1 }
            report = changed
        }
        try await show(report, selection.provider)
        return 0
    }

    private static func tracks(
        _ words: [String], _ library: any LibraryServiceProvider
    ) async throws -> [Int] {
        var ids: [Int] = []
        for word in words { ids += try await HostTracks.named(word, in: library).map(\.id) }
        guard !ids.isEmpty else {
            throw UsageError(message: "\(words.joined(separator: ", ")): there are no tracks")
        }
        return ids
    }

    /// Goes to the next or the previous track; from the first one back to its start.
    /// - Returns: nil if there is no such track.
    private static func skip(
        _ connection: HostConnection, isForward: Bool
    ) async throws -> JukeboxReport? {
        let before = try await connection.jukebox()
        guard let index = before.index else {
            Terminal.complain("stream-player: the jukebox's queue is empty.")
            return nil
        }
        let target = isForward ? index + 1 : max(0, index - 1)
        guard target < before.trackIDs.count else {
            Terminal.complain("stream-player: this is the last track of the jukebox's queue.")
            return nil
        }
        return try await connection.changeJukebox(JukeboxPatch(index: target, positionSeconds: 0))
    }

    private func show(_ report: JukeboxReport, _ library: any LibraryServiceProvider) async throws {
        guard !isJSON else { return Terminal.print(try JSONLine.text(report)) }
        let state = report.isPlaying ? "playing" : "paused"
        if let index = report.index, let id = report.trackID {
            let duration = report.durationSeconds.map { " / " + CatalogueLine.time($0) } ?? ""
            let position = CatalogueLine.time(report.positionSeconds) + duration
            Terminal.print("\(state)  \(index + 1) of \(report.trackIDs.count)  \(position)")
            // A track may have been removed from the library meanwhile.
            if let track = try? await library.track(id: id) { Terminal.print(CatalogueLine.track(track)) }
        } else {
            Terminal.print("\(state), the queue is empty")
        }
        Terminal.print(
            "volume \(Int((report.volume * 100).rounded())) %  ·  \(Terminal.harmless(report.output))")
        if let problem = report.problem { Terminal.complain("stream-player: \(Terminal.harmless(problem))") }
    }
}
