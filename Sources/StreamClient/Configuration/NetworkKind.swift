/// The kind of network connection, as reported by the program that uses the engine.
public enum NetworkKind: String, Sendable, CaseIterable {
    /// No network.
    case none
    /// A metered network.
    case cellular
    /// An unmetered network.
    case wifi
}
