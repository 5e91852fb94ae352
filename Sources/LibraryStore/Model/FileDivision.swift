/// How a file was divided into tracks when it was last read.
package struct FileDivision: Sendable, Equatable {
    /// The audio file.
    package var path: RelativePath
    /// Identifies the cue sheets in the folder of the file; nil if it had none.
    package var sheets: String?
    /// The numbers of its tracks; empty if the file is one track.
    package var trackNumbers: [Int]
    /// The reason why a cue sheet of the file was not used; nil if there was none.
    package var remark: String?

    /// Memberwise initializer.
    package init(path: RelativePath, sheets: String?, trackNumbers: [Int] = [], remark: String? = nil) {
        self.path = path
        self.sheets = sheets
        self.trackNumbers = trackNumbers
        self.remark = remark
    }

    /// Whether the file is shown as its tracks, and not as one.
    package var isDivided: Bool { !trackNumbers.isEmpty }

    /// The paths at which the library shows the file's tracks.
    package var trackPaths: [RelativePath] {
        isDivided ? trackNumbers.compactMap { RelativePath(sheetTrack: $0, of: path) } : [path]
    }

    /// Whether there is nothing to remember.
    var isTrivial: Bool { sheets == nil && !isDivided && remark == nil }
}
