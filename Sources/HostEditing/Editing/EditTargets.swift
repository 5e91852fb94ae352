internal import APIDescription
internal import Analyzer
internal import Catalogue
internal import HTTPServer
internal import LibraryStore
internal import MusicFiles
internal import MusicShared
internal import Tagging

/// Resolves the files that requests name, and reads their editable metadata.
struct EditTargets: Sendable {
    /// A file named by a request.
    struct Target: Sendable {
        /// The path given in the request, or the library's path of the given ID.
        var text: String?
        var id: Int?
        /// The path, or the error if it could not be resolved.
        var path: Result<RelativePath, HTTPError>
    }

    let music: MusicFolder
    let library: LibraryStore

    /// Returns the file with a path, with an ID, or with both if they match. A part of a file has no tags to edit.
    func target(relativePath: String?, id: Int?) throws -> Target {
        var target = try named(relativePath: relativePath, id: id)
        if case .success(let path) = target.path { target.path = Self.requireOwnFile(path) }
        return target
    }

    private static func requireOwnFile(_ path: RelativePath) -> Result<RelativePath, HTTPError> {
        guard let track = path.sheetTrack else { return .success(path) }
        return .failure(
            APIError.partOfFile(
                "This is track \(track.number) of the cue sheet of \(track.file.text). Edit the sheet to change the track; "
                    + "edit the tags of that file, by its path, to change what all its tracks have in common.",
                field: "relative_path"))
    }

    private func named(relativePath: String?, id: Int?) throws -> Target {
        switch (relativePath, id) {
        case (let text?, nil):
            return Target(
                text: text, path: RelativePath(text: text).map { .success($0) } ?? .failure(Self.noFile))
        case (nil, let id?):
            guard let path = try library.catalogue({ try $0.coverSource(trackID: id) })?.path else {
                return Target(id: id, path: .failure(Self.noTrack(id)))
            }
            return Target(text: path.text, id: id, path: .success(path))
        case (let text?, let id?):
            let target = try named(relativePath: nil, id: id)
            guard case .success(let path) = target.path, path != RelativePath(text: text) else {
                return target
            }
            throw APIError.oneFileExpected("relative_path and id refer to different files.", field: "id")
        case (nil, nil):
            throw APIError.oneFileExpected("Specify the file by relative_path or id.", field: "relative_path")
        }
    }

    /// Returns the files of the lists without duplicates. Files that do not exist are included, with the
    /// reason.
    func targets(of lists: SelectionLists, limit: Int) throws -> [Target] {
        var targets: [Target] = []
        var seen: Set<RelativePath> = []
        func add(_ target: Target) throws {
            if case .success(let path) = target.path, !seen.insert(path).inserted { return }
            targets.append(target)
            guard targets.count <= limit else {
                throw APIError.tooManyItems("A request can edit at most \(limit) files.")
            }
        }
        for text in lists.relativePaths { try add(target(relativePath: text, id: nil)) }
        for id in lists.trackIDs { try add(target(relativePath: nil, id: id)) }
        for (ids, what, list, missing) in [
            (lists.albumIDs, "album", \TrackSelection.albumIDs, APIError.noSuchAlbum),
            (lists.artistIDs, "artist", \TrackSelection.artistIDs, APIError.noSuchArtist),
        ] {
            for id in ids {
                var selection = TrackSelection()
                selection[keyPath: list] = [id]
                let tracks = try library.tracks(of: selection, after: 0, limit: limit + 1)
                if tracks.isEmpty {
                    try add(
                        Target(
                            path: .failure(
                                missing(
                                    "There is no \(what) \(id), or it has no tracks.", field: "\(what)_ids")))
                    )
                }
                for track in tracks {
                    try add(
                        Target(text: track.path.text, id: track.id, path: Self.requireOwnFile(track.path)))
                }
            }
        }
        return targets
    }

    /// Reads the tags of a file together with a consistent state of the file.
    /// - Throws: 404 if it is not an existing music file, 409 if it keeps changing, 422 if its tags cannot be read.
    func metadata(at path: RelativePath) throws -> TrackMetadata {
        for _ in 0..<3 {
            guard let entry = music.entry(at: path) else { throw Self.noFile }
            let tags: TrackTags
            do {
                tags = try TrackTags.read(from: music.absolutePath(of: path))
            } catch {
                throw APIError.unreadable(
                    "The file could not be read: \(error.message).", field: "relative_path")
            }
            guard music.entry(at: path)?.file == entry.file else { continue }
            return TrackMetadata(
                tags, id: try library.trackState(of: path)?.trackID, path: path, state: entry.file)
        }
        throw APIError.fileBusy(
            "The file is being written by another program.",
            fields: [.retryAfter: "2"])
    }

    static let noFile = APIError.noSuchTrack(
        "There is no music file at this path in the music folder.", field: "relative_path")

    private static func noTrack(_ id: Int) -> HTTPError {
        APIError.noSuchTrack("There is no track \(id).", field: "id")
    }
}

extension TrackMetadata {
    /// Creates metadata from a file's tags.
    init(_ tags: TrackTags, id: Int?, path: RelativePath, state: FileState) {
        self.init(id: id, relativePath: path.text, etag: FileStateTag.text(state))
        title = tags.title
        artist = tags.artist
        album = tags.album
        albumArtist = tags.albumArtist
        trackNumber = tags.track.number
        trackTotal = tags.track.total
        discNumber = tags.disc.number
        discTotal = tags.disc.total
        year = tags.year
        genre = tags.genre
        comment = tags.comment
        composer = tags.composer
        isCompilation = tags.isCompilation
        hasCover = tags.hasCover
        tagKinds = tags.kinds.names
        replayGain = ReplayGainValues(tags.replayGain)
    }
}

extension ReplayGainValues {
    /// Creates values from a file's tags.
    init(_ tags: ReplayGainTags) {
        self.init(
            trackGainDB: tags.trackGainDB, trackPeak: tags.trackPeak, albumGainDB: tags.albumGainDB,
            albumPeak: tags.albumPeak)
    }
}
