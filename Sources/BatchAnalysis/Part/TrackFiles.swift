internal import Analyzer
internal import FileSystem
internal import LibraryStore
internal import MusicFiles

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
    /// Where its cue sheets are.
    var sheets: any CueSheetSource
    /// Keeps a temporary file.
    var owner: TemporaryFile?
}

/// The tracks in a folder.
struct FolderFiles: TrackFiles {
    private let music: MusicFolder

    /// - Parameter root: as in ``TrackRoot/folder(_:)``.
    init(root: [UInt8]) throws(BatchError) {
        do throws(StoreError) {
            music = try MusicFolder(root: root)
        } catch {
            throw Self.notMounted(root)
        }
    }

    func open(
        _ track: PlannedTrack, before next: PlannedTrack?
    ) throws(BatchError) -> Result<OpenTrack, AnalyzerError> {
        let place = music.absolutePath(of: track.path)
        do throws(AnalyzerError) {
            let file = try MappedFile(path: place)
            guard file.state == track.file else {
                throw AnalyzerError(.fileChanged, "has changed since the plan was made; plan it again")
            }
            return .success(OpenTrack(file: file, place: place, sheets: music))
        } catch {
            // If the folder is not mounted on this machine, its tracks are not missing.
            guard let folder = try? Folder(music.pathBytes), !folder.names().isEmpty else {
                throw Self.notMounted(music.pathBytes)
            }
            return .failure(error)
        }
    }

    private static func notMounted(_ path: [UInt8]) -> BatchError {
        BatchError(
            .source, "cannot be read on this machine, or is empty; mount it, then repeat the part",
            place: String(decoding: path, as: UTF8.self))
    }
}
