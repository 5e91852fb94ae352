package import Analyzer
package import Foundation
package import Tagging

/// A track of the catalogue.
package struct CatalogueTrack: Sendable, Equatable, Identifiable {
    /// The track's id. It stays the same when the file is retagged, renamed or moved, and is never reused.
    package var id: Int
    /// Path of the file.
    package var path: RelativePath
    /// The file's size and modification time when it was last read.
    package var file: FileState
    /// Hash of the audio: the key to its analysis and its spectra.
    package var audioHash: AudioHash
    /// The file's tags. ``TrackTags/kinds`` is stored too.
    package var tags: TrackTags
    /// The track's artist in the catalogue.
    package var artistID: Int?
    /// The track's album in the catalogue.
    package var albumID: Int?
    /// When the track was first seen, to the millisecond.
    package var addedAt: Date
    /// When any of the properties above last changed, to the millisecond.
    package var changedAt: Date
    /// Since when the file has been missing or unreadable; nil if the track is available.
    package var unavailableSince: Date?
    /// Byte offset of the audio payload in the file: `FrameIndex.moved(by:)` with this offset turns the
    /// stored frame index into the file's own.
    package var payloadOffset = 0
    /// The part of the file that the track is, from a cue sheet; nil for a whole file. ``payloadOffset`` is then that of a file of its own
    /// that is made from the part.
    package var part: AudioPart?
}
