import Companion
import CommandLineProgram
import LibraryStore
import MusicShared

/// Output of `--json` for a pass: a line for each track, then one for each failure.
struct PassLines {
    /// Whether all tracks of the library are printed, or only those processed in the pass.
    private let isWhole: Bool
    private var done: [RelativePath] = []
    private var failures: [TrackFailure] = []

    init(isWhole: Bool) { self.isWhole = isWhole }

    /// Records what must be printed at the end.
    mutating func note(_ event: PassEvent) {
        switch event {
        case .scanned: break
        case .stillFailing(let failure), .unreadable(let failure):
            if isWhole { failures.append(failure) }
        case .finished(let result):
            switch result.outcome {
            case .analyzed, .linked: if !isWhole { done.append(result.path) }
            case .failed(let code, let message):
                failures.append(TrackFailure(path: result.path, code: code, message: message))
            case .vanished: break
            }
        }
    }

    /// Prints the lines.
    func print(_ library: LibraryStore) throws {
        if isWhole {
            try library.forEachTrack { Terminal.print(try JSONLine.text(TrackReport($0))) }
        } else {
            for path in try done.flatMap(library.trackPaths(ofFile:)) {
                guard let track = try library.track(path: path) else { continue }
                Terminal.print(try JSONLine.text(TrackReport(track)))
            }
        }
        for failure in failures.sorted(by: { $0.path.text < $1.path.text }) {
            Terminal.print(try JSONLine.text(FailureReport(failure)))
        }
    }
}
