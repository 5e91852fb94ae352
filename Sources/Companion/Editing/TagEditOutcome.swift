public import Analyzer
public import Tagging

/// A file after an edit of its tags.
public struct TagEditOutcome: Sendable {
    /// The file.
    public let path: RelativePath
    /// Its state before the edit.
    public let previousFile: FileState
    /// Its state after the edit.
    public let file: FileState
    /// Whether the file was rewritten; false if its tags already had the requested values.
    public let isChanged: Bool
    /// Whether the file had further names (hard links), which are now separate files with the old tags.
    public let hadFurtherNames: Bool
    /// The tags after the edit.
    public let tags: TrackTags
    /// The hash of the audio, which an edit does not change.
    public let audioHash: AudioHash
    /// Byte offset of the audio payload in the file.
    public let payloadOffset: Int

    /// The record that a pass would store for the file, without an analysis.
    public var record: TrackRecord {
        TrackRecord(
            path: path, file: file, audioHash: audioHash, tags: tags, analysis: nil,
            payloadOffset: payloadOffset)
    }
}
