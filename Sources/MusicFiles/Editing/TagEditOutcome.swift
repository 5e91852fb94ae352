package import Analyzer
package import LibraryStore
package import Tagging

/// A file after an edit of its tags.
package struct TagEditOutcome: Sendable {
    /// The file.
    package let path: RelativePath
    /// Its state before the edit.
    package let previousFile: FileState
    /// Its state after the edit.
    package let file: FileState
    /// Whether the file was rewritten; false if its tags already had the requested values.
    package let isChanged: Bool
    /// Whether the file had further names (hard links), which are now separate files with the old tags.
    package let hadFurtherNames: Bool
    /// The tags after the edit.
    package let tags: TrackTags
    /// The values before the edit of the fields that it changed.
    package let formerTags: FormerTags
    /// The hash of the audio, which an edit does not change.
    package let audioHash: AudioHash
    /// Byte offset of the audio payload in the file.
    package let payloadOffset: Int

    /// The record that a pass would store for the file, without an analysis.
    package var record: TrackRecord {
        TrackRecord(
            path: path, file: file, audioHash: audioHash, tags: tags, analysis: nil,
            payloadOffset: payloadOffset)
    }
}
