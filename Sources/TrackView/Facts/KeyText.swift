internal import Analyzer

/// Names of keys.
enum KeyText {
    private static let majors = ["C", "D♭", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"]
    private static let minors = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "G♯", "A", "B♭", "B"]

    /// The name, as "F♯ minor".
    static func name(_ key: MusicalKey) -> String {
        (key.mode == .major ? majors : minors)[pitchClass(key.tonic)] + " " + key.mode.rawValue
    }

    /// The place on the Camelot wheel: the circle of fifths as the hours of a clock, C major is 8B and A minor 8A.
    static func camelot(_ key: MusicalKey) -> String {
        let relativeMajor = pitchClass(key.tonic) + (key.mode == .major ? 0 : 3)
        return "\((relativeMajor * 7 + 7) % 12 + 1)\(key.mode == .major ? "B" : "A")"
    }

    private static func pitchClass(_ tonic: Int) -> Int { (tonic % 12 + 12) % 12 }
}
