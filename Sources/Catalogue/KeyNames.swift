internal import MusicShared

/// The names of a key stored as numbers.
package struct KeyNames {
    /// Musical notation with sharps: "F# minor".
    package let name: String
    /// Camelot notation: "11A".
    package let camelot: String

    /// Creates the names of a key; nil if there is no such key.
    /// - Parameters:
    ///   - tonic: semitones above C, 0 to 11.
    ///   - mode: `major` or `minor`.
    package init?(tonic: Int, mode: String) {
        guard (0..<12).contains(tonic), mode == "major" || mode == "minor" else { return nil }
        let notes = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
        name = "\(notes[tonic]) \(mode)"
        // Seven semitones are one step on the wheel, where C major and A minor are at 8.
        let isMajor = mode == "major"
        camelot = CamelotKey(number: 7 * (isMajor ? tonic : tonic + 3) + 8, isMajor: isMajor).description
    }
}
