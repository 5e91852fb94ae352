public import Analyzer
public import Foundation
public import Tagging

/// A track of the catalogue.
public struct CatalogueTrack: Sendable, Equatable, Identifiable {
    /// The track's number. It stays when the file is tagged anew, renamed or moved, and is never used again.
    public var id: Int
    /// Where the file is.
    public var path: RelativePath
    /// The file's size and time when it was last read.
    public var file: FileState
    /// What the file sounds like: the key to its analysis and its frames.
    public var audioHash: AudioHash
    /// What the file's tags say. ``TrackTags/kinds`` is kept too.
    public var tags: TrackTags
    /// The track's artist in the catalogue.
    public var artistID: Int?
    /// The track's album in the catalogue.
    public var albumID: Int?
    /// When the track was first seen, to the millisecond.
    public var addedAt: Date
    /// When anything above last changed, to the millisecond.
    public var changedAt: Date
    /// Since when the file has been gone or unreadable; nil for a track that can be played.
    public var unavailableSince: Date?
    /// Where the audio payload begins in the file, in bytes: `FrameIndex.moved(by:)` this makes the stored frame index the
    /// file's own.
    public var payloadOffset = 0
}
