package import LibraryStore

/// A place with music files and the cue sheets that may divide them.
package protocol CueSheetSource {
    /// The cue sheets in the folder of a file.
    func cueSheets(beside file: RelativePath) -> FolderCueSheets

    /// Reads a sheet in the folder of a file.
    /// - Returns: its bytes; nil if it cannot be read.
    func contents(of sheet: FolderCueSheets.File, beside file: RelativePath) -> [UInt8]?

    /// The names of the files in the folder of a file, itself included, that a sheet may divide.
    func divisibleNames(beside file: RelativePath) -> [String]
}
