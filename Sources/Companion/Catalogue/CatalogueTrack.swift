public import Analyzer
public import Foundation
public import Tagging

/// A track of the catalogue.
public struct CatalogueTrack: Sendable, Equatable, Identifiable {
    /// The track's id. It stays the same when the file is retagged, renamed or moved, and is never reused.
    public var id: Int
    /// Path of the file.
    public var path: RelativePath
    /// The file's size and modification time when it was last read.
    public var file: FileState
    /// Hash of the audio: the key to its analysis and its spectra.
    public var audioHash: AudioHash
    /// The file's tags. ``TrackTags/kinds`` is stored too.
    public var tags: TrackTags
    /// The track's artist in the catalogue.
    public var artistID: Int?
    /// The track's album in the catalogue.
    public var albumID: Int?
    /// When the track was first seen, to the millisecond.
    public var addedAt: Date
    /// When any of the properties above last changed, to the millisecond.
    public var changedAt: Date
    /// Since when the file has been missing or unreadable; nil if the track is available.
    public var unavailableSince: Date?
    /// Byte offset of the audio payload in the file: `FrameIndex.moved(by:)` with this offset turns the
    /// stored frame index into the file's own.
    public var payloadOffset = 0
}
