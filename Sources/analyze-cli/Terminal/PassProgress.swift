import Companion
import CommandLineProgram
import Foundation
import LibraryStore
import MusicShared

/// Shows the progress of a pass: a live line on a terminal, plain lines elsewhere.
struct PassProgress {
    /// Redraw interval of the live line in seconds.
    private static let redrawInterval = 0.1

    private let isLive: Bool
    private let isQuiet: Bool
    /// Whether to suppress output for a pass without changes, and repeated failures: while watching.
    private let isRepeated: Bool
    private let start = Date()
    private var plan: PassPlan?
    private var doneCount = 0
    private var doneBytes = 0
    private var failedCount = 0
    private var audioSeconds = 0.0
    private var lastDrawn = Date.distantPast

    init(isQuiet: Bool, isRepeated: Bool = false) {
        self.isQuiet = isQuiet
        self.isRepeated = isRepeated
        isLive = !isQuiet && Terminal.isInteractive
    }

    mutating func show(_ event: PassEvent) {
        switch event {
        case .scanned(let plan):
            self.plan = plan
            guard !isQuiet, !isRepeated || plan.toDoCount > 0 else { return }
            var facts = ["\(plan.fileCount) music files", "\(plan.unchangedCount) unchanged"]
            if plan.stillFailingCount > 0 { facts.append("\(plan.stillFailingCount) still failing") }
            Terminal.complain((facts + ["\(plan.toDoCount) to analyse"]).joined(separator: ", "))
            if plan.toDoCount > 0 { draw() }
        case .finished(let result): finish(result)
        case .stillFailing(let failure), .unreadable(let failure):
            failedCount += 1
            if !isRepeated { complain(of: failure.path, failure.message) }
        }
    }

    /// Removes the live line.
    func clear() {
        if isLive { Terminal.write("\r\u{1B}[K", to: STDERR_FILENO) }
    }

    private mutating func finish(_ result: TrackResult) {
        let path = Terminal.harmless(result.path.text)
        doneCount += 1
        doneBytes += result.fileSize
        switch result.outcome {
        case .analyzed(let seconds):
            audioSeconds += seconds
            plainLine("analysed  \(path)  (\(Duration.clock(seconds)))")
        case .linked: plainLine("known     \(path)")
        case .vanished: plainLine("vanished  \(path)")
        case .failed(_, let message):
            failedCount += 1
            complain(of: result.path, message)
        }
        if let remark = result.remark, !isQuiet {
            clear()
            Terminal.complain("one track \(path): \(Terminal.harmless(remark))")
        }
        draw()
    }

    private func complain(of path: RelativePath, _ message: String) {
        clear()
        Terminal.complain("failed    \(Terminal.harmless(path.text)): \(Terminal.harmless(message))")
    }

    private func plainLine(_ text: String) {
        guard !isQuiet, !isLive, let plan else { return }
        Terminal.complain("[\(doneCount)/\(max(plan.toDoCount, doneCount))] \(text)")
    }

    private mutating func draw() {
        guard isLive, let plan, Date().timeIntervalSince(lastDrawn) >= Self.redrawInterval else { return }
        lastDrawn = Date()
        let elapsed = max(0.001, Date().timeIntervalSince(start))
        let share = plan.toDoBytes > 0 ? min(1, Double(doneBytes) / Double(plan.toDoBytes)) : 1
        let facts = [
            "\(doneCount)/\(plan.toDoCount) tracks",
            "\(Self.decimal(audioSeconds / 3600, 1)) h of audio",
            "\(Int(audioSeconds / elapsed)) × real time",
            share > 0 ? "ETA \(Duration.clock(elapsed / share - elapsed))" : "ETA –",
            failedCount > 0 ? "\(failedCount) failed" : nil,
        ].compactMap { $0 }.joined(separator: " · ")
        let barWidth = max(0, min(30, Terminal.columns - facts.count - 4))
        let filled = Int(Double(barWidth) * share)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
        Terminal.write("\r\(bar)  \(facts)\u{1B}[K", to: STDERR_FILENO)
    }

    /// Prints the results of the pass.
    func summarize(_ summary: PassSummary) {
        clear()
        guard !isQuiet, !isRepeated || hasChanges(summary) else { return }
        let elapsed = max(0.001, Date().timeIntervalSince(start))
        var facts = ["\(summary.analyzedCount) analysed", "\(summary.unchangedCount) unchanged"]
        if summary.linkedCount > 0 { facts.append("\(summary.linkedCount) identified by audio") }
        if summary.removedCount > 0 { facts.append("\(summary.removedCount) removed") }
        if summary.vanishedCount > 0 { facts.append("\(summary.vanishedCount) vanished during the pass") }
        if summary.unsettledCount > 0 { facts.append("\(summary.unsettledCount) still being written") }
        let kept = summary.unavailable.reduce(0) { $0 + $1.trackCount }
        if kept > 0 { facts.append("\(kept) in unavailable folders") }
        if summary.failedCount > 0 { facts.append("\(summary.failedCount) failed") }
        Terminal.complain(
            (summary.wasCancelled ? "interrupted: " : "done: ") + facts.joined(separator: ", ")
                + "; \(Duration.clock(summary.audioSeconds)) of audio in \(Self.decimal(elapsed, 1)) s")
    }

    /// Prints a warning about unavailable folders, even in quiet mode.
    func warn(of folders: [UnavailableFolder]) {
        guard !folders.isEmpty else { return }
        clear()
        for folder in folders { Terminal.complain("unavailable: \(Terminal.harmless(folder.summary))") }
        let options = folders.map { "--confirm-removed '\(Terminal.harmless($0.relativePath))'" }
        Terminal.complain(
            "Their tracks are kept until the files are back. To remove them for good: \(options.joined(separator: " "))"
        )
    }

    private func hasChanges(_ summary: PassSummary) -> Bool { doneCount > 0 || summary.removedCount > 0 }

    private static func decimal(_ value: Double, _ digits: Int) -> String {
        String(format: "%.\(digits)f", value)
    }
}
