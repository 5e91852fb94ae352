public import Companion
internal import Foundation
internal import Synchronization

/// Passes over the library that requests ask for: one at a time, however many ask.
public final class Reanalysis: Sendable {
    private struct State {
        var isRunning = false
        var isWanted = false
        var waiting = WaitingTracks()
        /// Files that the pass under way has not dealt with yet.
        var toDoCount = 0
    }

    private let music: MusicFolder
    private let data: DataFolder
    private let options: PassOptions
    private let state = Mutex(State())
    private let report: @Sendable (String) -> Void

    /// - Parameter report: told of passes and of what stops them.
    public init(
        music: MusicFolder, data: DataFolder, options: PassOptions,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.music = music
        self.data = data
        self.options = options
        self.report = report
    }

    /// Files that are known to wait for their analysis.
    var queueLength: Int { state.withLock { max($0.toDoCount, $0.waiting.count) } }

    /// Asks for the analysis of a file that the library does not have. A file that was asked for already has its place, and
    /// needs no further pass.
    /// - Returns: its place among those that were asked for, from 1.
    func request(_ path: RelativePath) -> Int {
        let (place, isNew) = state.withLock { state in
            let isNew = !state.waiting.contains(path)
            return (state.waiting.add(path), isNew)
        }
        if isNew { request() }
        return place
    }

    /// Asks for a pass: one is started, or the one under way followed by another.
    public func request() {
        let starts = state.withLock { state in
            state.isWanted = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard starts else { return }
        let thread = Thread { [self] in
            while state.withLock({ state in
                state.isRunning = state.isWanted
                state.isWanted = false
                // What the last pass did not come to, because it is still being written or another program has the
                // library, is for whoever asks again.
                if !state.isRunning { state.waiting.removeAll() }
                return state.isRunning
            }) { pass() }
        }
        thread.stackSize = 4 << 20
        thread.start()
    }

    private func pass() {
        defer { state.withLock { $0.toDoCount = 0 } }
        do {
            let summary = try LibraryPass(music: music, data: data, options: options).run { note($0) }
            report("analysed \(summary.analyzedCount) files, \(summary.failedCount) failed")
        } catch let error as StoreError where error.code == .passRunning {
            // Whoever runs it finds the same files.
        } catch {
            report("the library could not be looked through: \(error)")
        }
    }

    private func note(_ event: PassEvent) {
        state.withLock { state in
            switch event {
            case .scanned(let plan): state.toDoCount = plan.toDoCount
            case .finished(let result):
                state.toDoCount = max(0, state.toDoCount - 1)
                state.waiting.remove(result.path)
            case .stillFailing(let failure), .unreadable(let failure): state.waiting.remove(failure.path)
            }
        }
    }
}
