/// A cue sheet: the tracks of one long recording, as CDRWIN's text files and the CUESHEET block of FLAC describe them.
///
/// Nothing is interpreted here: ``division(sampleRate:sampleCount:)`` decides which part of the audio each track is.
package struct CueSheet: Sendable, Hashable {
    /// A time in the audio.
    package enum Position: Sendable, Hashable {
        /// Frames of a compact disc, 75 per second.
        case discFrames(Int)
        /// Samples per channel.
        case samples(Int)

        /// Frames of a compact disc per second.
        package static let discFramesPerSecond = 75

        /// The position in samples. Where a frame is no whole number of samples, as at 32 kHz, it is rounded down.
        /// - Parameter sampleRate: samples per second.
        package func sample(at sampleRate: Int) -> Int {
            switch self {
            case .discFrames(let frames): frames * sampleRate / Self.discFramesPerSecond
            case .samples(let samples): samples
            }
        }
    }

    /// Texts that the whole sheet and each of its tracks may have.
    package struct Texts: Sendable, Hashable {
        /// `TITLE`: of the album or the track.
        package var title: String?
        /// `PERFORMER`.
        package var performer: String?
        /// `SONGWRITER`.
        package var songwriter: String?
        /// `REM` entries by their upper-case key: `DATE`, `GENRE`, `DISCNUMBER`, `REPLAYGAIN_TRACK_GAIN`, …
        package var remarks: [String: String] = [:]

        /// Creates empty texts.
        package init() {}
    }

    /// A track.
    package struct Track: Sendable, Hashable {
        /// Its number, 1 to 99.
        package var number: Int
        /// Whether it is audio, not data of a mixed-mode disc.
        package var isAudio: Bool
        /// The file that its first index is in: a position in ``CueSheet/files``.
        package var file: Int
        /// `INDEX 00`: the start of the pause before the track; nil without one.
        package var pause: Position?
        /// `INDEX 01`: the start of the track; nil if it is missing.
        package var start: Position?
        /// International standard recording code.
        package var isrc: String?
        /// `FLAGS PRE`: the audio was recorded with pre-emphasis.
        package var hasPreEmphasis = false
        /// Title, artist and other texts.
        package var texts = Texts()

        /// Creates a track without indexes.
        package init(number: Int, isAudio: Bool, file: Int) {
            self.number = number
            self.isAudio = isAudio
            self.file = file
        }
    }

    /// The names of the files as the sheet states them. A sheet within an audio file may name none, or any.
    package var files: [String] = []
    /// The tracks in the order of the sheet.
    package var tracks: [Track] = []
    /// The end of the last track; nil if the audio's end is meant.
    package var end: Position?
    /// Title, artist and other texts of the album.
    package var texts = Texts()

    /// Maximum number of a track.
    package static let largestNumber = 99

    /// Creates an empty sheet.
    package init() {}
}
