internal import Analyzer
internal import LibraryStore

/// Opens the tracks of a part.
protocol TrackFiles {
    /// Opens a track.
    /// - Throws: the reason why it cannot be read, or that it is not the one that was planned.
    func open(_ track: PlannedTrack) throws(AnalyzerError) -> OpenTrack
}

/// A track that can be read.
struct OpenTrack {
    /// The mapped file.
    var file: MappedFile
    /// The absolute path of the same file.
    var place: [UInt8]
}

/// The tracks in a folder.
struct FolderFiles: TrackFiles {
    /// The folder's absolute path, without a trailing slash.
    let folder: [UInt8]

    func open(_ track: PlannedTrack) throws(AnalyzerError) -> OpenTrack {
        let place = folder + [UInt8(ascii: "/")] + track.path.bytes
        let file = try MappedFile(path: place)
        guard file.state == track.file else {
            throw AnalyzerError(.fileChanged, "has changed since the plan was made; plan it again")
        }
        return OpenTrack(file: file, place: place)
    }
}

extension TrackRoot {
    /// Opens the tracks that are here.
    var files: any TrackFiles {
        switch self {
        case .folder(let bytes): FolderFiles(folder: bytes)
        }
    }
}
