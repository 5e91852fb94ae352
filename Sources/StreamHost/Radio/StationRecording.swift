internal import Foundation
internal import LibraryStore
internal import MusicFiles
internal import MusicShared
internal import RadioRelay
internal import Threads

/// A recording in progress: collects the frames of a station, and writes files on a thread of its own, one for each title.
final class StationRecording: StationListener {
    private enum Command {
        case frame(StationFrame, milliseconds: Double)
        case title(String)
        case cut
    }

    private struct State {
        var commands: [Command] = []
        var heldBytes = 0
        var isEnding = false
        var isDone = false
        var sampleSeconds = 0.0
        var fileCount = 0
        var message: String?
    }

    /// Maximum size of the frames that wait for the disk, in bytes: an hour of most stations.
    private static let heldLimit = 64 << 20
    /// The longest recording, in seconds.
    private static let longestSeconds = 12 * 3600.0
    /// The longest file, in seconds: of stations without titles.
    private static let longestFile = 3600.0
    /// The shortest file that is kept, in seconds.
    private static let shortestFile = 2.0

    let station: RadioStation
    private let startedAt = Date().timeIntervalSince1970
    private let intake: MusicIntake
    private let listening: ListeningStore
    private let state = Turnstile(State())

    init(_ station: RadioStation, intake: MusicIntake, listening: ListeningStore) {
        self.station = station
        self.intake = intake
        self.listening = listening
    }

    /// The recording as clients see it.
    var report: StationRecordingState {
        state.read { state in
            StationRecordingState(
                stationID: station.id, stationName: station.name, startedAt: startedAt,
                durationSeconds: state.sampleSeconds, fileCount: state.fileCount, message: state.message)
        }
    }

    /// Whether it takes no more frames.
    var isEnding: Bool { state.read(\.isEnding) }

    /// Waits until all files are in the library.
    func waitForEnd(seconds: Double) { _ = state.wait(upTo: seconds) { $0.isDone ? true : nil } }

    // MARK: On the relay's thread

    func received(_ frame: StationFrame, atMilliseconds time: Double) {
        state.change { state in
            guard !state.isEnding else { return }
            guard state.heldBytes + frame.bytes.count <= Self.heldLimit else {
                state.message = "The disk is too slow; the recording has ended."
                state.isEnding = true
                return
            }
            state.heldBytes += frame.bytes.count
            state.sampleSeconds += frame.seconds
            state.commands.append(.frame(frame, milliseconds: time))
            if state.sampleSeconds >= Self.longestSeconds { state.isEnding = true }
        }
    }

    func titleChanged(to title: String, atMilliseconds time: Double) {
        state.change { $0.commands.append(.title(title)) }
    }

    func connectionWasLost() { state.change { $0.commands.append(.cut) } }

    func relayEnded() { state.change { $0.isEnding = true } }

    // MARK: On its own thread

    /// Writes files until the recording ends.
    func run() {
        var title = ""
        var file: RecordedFile?
        while let commands = takeCommands() {
            for command in commands {
                switch command {
                case .title(let text):
                    keep(&file)
                    title = text
                case .cut: keep(&file)
                case .frame(let frame, let time):
                    if let open = file, open.kind != frame.kind || open.seconds >= Self.longestFile {
                        keep(&file)
                    }
                    write(frame, time, title, &file)
                }
            }
        }
        keep(&file)
        state.change { $0.isDone = true }
    }

    /// - Returns: nil once the recording has ended.
    private func takeCommands() -> [Command]? {
        state.wait { state -> [Command]?? in
            guard !state.commands.isEmpty || state.isEnding else { return nil }
            guard !state.commands.isEmpty else { return .some(nil) }
            defer { (state.commands, state.heldBytes) = ([], 0) }
            return state.commands
        } ?? nil
    }

    private func write(_ frame: StationFrame, _ time: Double, _ title: String, _ file: inout RecordedFile?) {
        do throws(IntakeError) {
            if file == nil {
                file = try RecordedFile(frame.kind, title: title, startMilliseconds: time, intake: intake)
            }
            try file?.append(frame)
        } catch {
            file = nil
            state.change { state in
                state.message = "\(error.message) The recording has ended."
                state.isEnding = true
                state.commands = []
            }
        }
    }

    /// Moves the open file, if any, into the library.
    private func keep(_ file: inout RecordedFile?) {
        guard let done = file else { return }
        file = nil
        guard done.seconds >= Self.shortestFile,
            let result = done.finish(stationName: station.name, intake: intake)
        else { return }
        switch result.outcome {
        case .stored:
            guard let hash = result.audioHash else { return }
            do {
                try listening.addRadioRecording(
                    stationName: station.name, title: done.title,
                    recordedAtMilliseconds: Int(done.startMilliseconds),
                    durationSeconds: result.durationSeconds ?? done.seconds, audioHash: hash)
            } catch {
                state.change { $0.message = "The list of recordings could not be written: \(error)" }
            }
            state.change { $0.fileCount += 1 }
        case .refused(let error):
            state.change { $0.message = "\(done.title): \(error.message)" }
        case .duplicate, .cover, .ignored: break
        }
    }
}
