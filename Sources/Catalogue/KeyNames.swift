internal import MusicShared

/// What people call a key that the library holds as numbers.
struct KeyNames {
    /// As musicians write it, with sharps: "F# minor".
    let name: String
    /// On the Camelot wheel: "11A".
    let camelot: String

    /// - Parameters:
    ///   - tonic: semitones above C, 0 to 11.
    ///   - mode: `major` or `minor`.
    init?(tonic: Int, mode: String) {
        guard (0..<12).contains(tonic), mode == "major" || mode == "minor" else { return nil }
        let notes = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
        name = "\(notes[tonic]) \(mode)"
        // Seven semitones are a step on the wheel, on which C major and A minor are at 8.
        let isMajor = mode == "major"
        camelot = CamelotKey(number: 7 * (isMajor ? tonic : tonic + 3) + 8, isMajor: isMajor).description
    }
}
