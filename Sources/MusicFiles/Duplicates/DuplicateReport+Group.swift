internal import Analyzer
package import LibraryStore
package import MusicShared
internal import Tagging

extension DuplicateReport {
    /// Describes a group.
    package init(_ group: DuplicateGroup) {
        self.init(
            best: File(group.best),
            copies: group.copies.map { copy in
                var file = File(copy)
                file.difference = copy.difference.rounded(to: 10_000)
                file.isCertain = copy.isCertain
                return file
            })
    }
}

extension DuplicateReport.File {
    fileprivate init(_ file: DuplicateGroup.File) {
        self.init(
            trackID: file.track.id, relativePath: file.track.path.text, fileSizeBytes: file.track.file.size)
        let tags = file.track.tags
        (title, artist, album) = (tags.title, tags.artist, tags.album)
        averageBitRate = file.averageBitRate
        durationSeconds = file.durationSeconds
        damagedFrameCount = file.damagedFrameCount
    }
}
