public import Analyzer
public import Tagging

/// A file after an edit of its tags.
public struct EditedTrack: Sendable {
    /// The file.
    public let path: RelativePath
    /// Its state before.
    public let previousFile: FileState
    /// Its state now.
    public let file: FileState
    /// Whether it was written anew; false where its tags said already what was asked for.
    public let isChanged: Bool
    /// Whether the file had further names (hard links), which now are files of their own with the old tags.
    public let hadFurtherNames: Bool
    /// What its tags say now.
    public let tags: TrackTags
    /// The audio, which is as it was.
    public let audioHash: AudioHash
    /// Where the audio payload begins in the file, in bytes.
    public let payloadOffset: Int

    /// What a pass would have learnt of the file, without an analysis.
    public var record: TrackRecord {
        TrackRecord(
            path: path, file: file, audioHash: audioHash, tags: tags, analysis: nil,
            payloadOffset: payloadOffset)
    }
}
