import Analyzer
import Companion
import Foundation
import LibraryStore
import MusicShared
import TestSupport

/// A track and its descriptor.
typealias MadeUpTrack = (track: SoundingTrack, descriptor: SonicDescriptor)

extension SoundLibrary {
    /// Creates a library of made-up tracks.
    init(_ made: [MadeUpTrack], earlier: SoundLibrary? = nil) {
        self.init(made.map(\.track), made.map(\.descriptor), earlier: earlier)
    }
}

/// Tracks with made-up descriptors.
enum MadeUpSounds {
    /// A descriptor at a place on one axis.
    static func descriptor(_ place: Float, _ other: Float = 0) -> SonicDescriptor {
        var values = [Float](repeating: 0, count: SonicDescriptor.dimension)
        values[0] = place
        values[1] = other
        guard let descriptor = SonicDescriptor(rounding: values) else {
            preconditionFailure("the number of coordinates is right")
        }
        return descriptor
    }

    static func track(
        _ id: Int, artist: Int? = nil, album: Int? = nil, genre: String? = nil, bpm: Double? = nil,
        key: String? = nil, endKey: String? = nil, loudness: Double? = nil, audio: Int? = nil,
        _ descriptor: SonicDescriptor
    ) -> MadeUpTrack {
        let track = SoundingTrack(
            id: id, audioHash: Sample.hash(audio ?? id), artistID: artist, albumID: album, genre: genre,
            mixable: MixOrder.Track(
                id: id, bpm: bpm, key: key.flatMap { CamelotKey($0) },
                endKey: endKey.flatMap { CamelotKey($0) }, integratedLUFS: loudness))
        return (track, descriptor)
    }

    /// Tracks 1… with random descriptors, keys, tempi and levels, dealt to artists in turn.
    static func library(_ count: Int, artists: Int, seed: UInt64 = 1) -> SoundLibrary {
        var random = SeededGenerator(seed: seed)
        return SoundLibrary(
            (1...count).map { id in
                var values: [Float] = []
                for _ in 0..<SonicDescriptor.dimension {
                    values.append(Float.random(in: -2...2, using: &random))
                }
                let key = CamelotKey(number: Int.random(in: 1...12, using: &random), isMajor: id % 2 == 0)
                return track(
                    id, artist: id % artists + 1, bpm: Double.random(in: 70...170, using: &random),
                    key: key.description, loudness: Double.random(in: -20 ... -6, using: &random),
                    SonicDescriptor(rounding: values) ?? descriptor(0))
            })
    }
}
