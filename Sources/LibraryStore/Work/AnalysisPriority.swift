/// Priorities in the analysis queue.
package enum AnalysisPriority: Int, Sendable, Comparable, CaseIterable {
    /// A client is waiting for the result.
    case waitedFor = 0
    /// A file that was just added or changed.
    case changed = 1
    /// Requested in advance.
    case ahead = 2
    /// Found by a scan of the folder.
    case found = 3

    /// Whether the first is more urgent.
    package static func < (a: AnalysisPriority, b: AnalysisPriority) -> Bool { a.rawValue < b.rawValue }
}
