internal import Analyzer

/// Names of keys.
enum KeyText {
    private static let majors = ["C", "D♭", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"]
    private static let minors = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "G♯", "A", "B♭", "B"]

    /// The name, as "F♯ minor".
    static func name(_ key: MusicalKey) -> String {
        (key.mode == .major ? majors : minors)[pitchClass(key.tonic)] + " " + key.mode.rawValue
    }

    private static func pitchClass(_ tonic: Int) -> Int { (tonic % 12 + 12) % 12 }
}
