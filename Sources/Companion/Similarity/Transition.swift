package import LibraryStore
internal import MusicShared

/// How well one track follows another.
package enum Transition {
    /// Returns a score from 0 to 1: the mean of the scores for key, tempo and level. What is unknown scores one half.
    package static func score(_ one: SoundingTrack, _ next: SoundingTrack) -> Double {
        TransitionScore(
            keys: (one.key, next.key), bpm: (one.bpm, next.bpm), lufs: (one.loudness, next.loudness)
        ).mean
    }
}
