/// What kind of network there is, as far as the program that uses the engine knows.
public enum NetworkKind: String, Sendable, CaseIterable {
    /// None at all.
    case none
    /// One that costs, or may be counted.
    case cellular
    /// One that does not.
    case wifi
}
