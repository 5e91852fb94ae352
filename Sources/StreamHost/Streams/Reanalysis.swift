public import Companion
internal import Foundation
internal import Synchronization

/// Passes over the library that requests ask for: one at a time, however many ask.
public final class Reanalysis: Sendable {
    private struct State {
        var isRunning = false
        var isWanted = false
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
                return state.isRunning
            }) { pass() }
        }
        thread.stackSize = 4 << 20
        thread.start()
    }

    private func pass() {
        do {
            let summary = try LibraryPass(music: music, data: data, options: options).run()
            report("analysed \(summary.analyzedCount) files, \(summary.failedCount) failed")
        } catch let error as StoreError where error.code == .passRunning {
            // Whoever runs it finds the same files.
        } catch {
            report("the library could not be looked through: \(error)")
        }
    }
}
