/// What is analysed first.
public enum AnalysisPriority: Int, Sendable, Comparable, CaseIterable {
    /// A client waits for it.
    case waitedFor = 0
    /// A file that has just come or changed.
    case changed = 1
    /// Somebody asked for it ahead of time.
    case ahead = 2
    /// Found by looking through the folder.
    case found = 3

    /// Whether it comes before the other.
    public static func < (a: AnalysisPriority, b: AnalysisPriority) -> Bool { a.rawValue < b.rawValue }
}
