internal import Analyzer
internal import FileSystem
internal import LibraryStore

/// Opens the tracks of a part, one after the other.
protocol TrackFiles {
    /// Opens a track.
    /// - Parameter next: the track that will be opened after it, if any.
    /// - Returns: the track, or the reason why it cannot be read or is not the one that was planned.
    /// - Throws: `BatchError` if no track can be read, so that the part must be repeated.
    func open(_ track: PlannedTrack, before next: PlannedTrack?) throws(BatchError) -> Result<
        OpenTrack, AnalyzerError
    >
}

/// A track that can be read.
struct OpenTrack {
    /// The mapped file.
    var file: MappedFile
    /// The absolute path of the same file.
    var place: [UInt8]
    /// The cue sheets beside an object; nil for a file, whose folder has them.
    var sheets: BucketCueSheets?
    /// Keeps a temporary file.
    var owner: TemporaryFile?
}

/// The tracks in a folder.
struct FolderFiles: TrackFiles {
    /// The folder's absolute path, without a trailing slash.
    let folder: [UInt8]

    func open(
        _ track: PlannedTrack, before next: PlannedTrack?
    ) throws(BatchError) -> Result<OpenTrack, AnalyzerError> {
        let place = folder + [UInt8(ascii: "/")] + track.path.bytes
        do throws(AnalyzerError) {
            let file = try MappedFile(path: place)
            guard file.state == track.file else {
                throw AnalyzerError(.fileChanged, "has changed since the plan was made; plan it again")
            }
            return .success(OpenTrack(file: file, place: place))
        } catch {
            try requireFolder()
            return .failure(error)
        }
    }

    /// Checks that the folder is there: if it is not mounted on this machine, its tracks are not missing.
    private func requireFolder() throws(BatchError) {
        let path = folder.isEmpty ? [UInt8(ascii: "/")] : folder
        guard let opened = try? Folder(path), !opened.names().isEmpty else {
            throw BatchError(
                .source, "cannot be read on this machine, or is empty; mount it, then repeat the part",
                place: String(decoding: path, as: UTF8.self))
        }
    }
}
