extension MusicalKey {
    /// The name with sharps: "F# minor".
    public var name: String { "\(Self.tonics[tonic % 12]) \(mode.rawValue)" }

    /// The name on the Camelot wheel, where neighbours mix well: "11A" is F♯ minor, "8B" is C major.
    public var camelot: String {
        // A step of a fifth (seven semitones) is a step of one on the wheel; C major is 8, A minor is 8.
        let major = mode == .major ? tonic : tonic + 3
        return "\((7 * major + 7) % 12 + 1)\(mode == .major ? "B" : "A")"
    }

    /// The name in the `TKEY` frame of ID3v2: "F#m" for F♯ minor, "C" for C major.
    public var tagText: String { Self.tonics[tonic % 12] + (mode == .minor ? "m" : "") }

    private static let tonics = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
}
