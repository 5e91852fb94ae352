package import Analyzer
internal import Catalogue
package import Foundation
internal import SQLiteDatabase
package import Tagging

/// The results of a pass for one file.
package struct TrackRecord: Sendable {
    /// The file's path.
    package var path: RelativePath
    /// The file's size and modification time, taken before it was read.
    package var file: FileState
    /// Hash of the audio.
    package var audioHash: AudioHash
    /// The file's tags.
    package var tags: TrackTags
    /// The analysis, if one was made; nil keeps the stored one with this hash. Its spectra are stored
    /// in ``SpectrumStore``, not here.
    package var analysis: TrackAnalysis?
    /// Byte offset of the audio payload in the file: the offset to apply to a stored frame index.
    package var payloadOffset: Int
    /// The part of the file that the track is; nil for the whole file.
    package var part: AudioPart?

    /// Creates a record.
    package init(
        path: RelativePath, file: FileState, audioHash: AudioHash, tags: TrackTags, analysis: TrackAnalysis?,
        payloadOffset: Int = 0, part: AudioPart? = nil
    ) {
        self.path = path
        self.file = file
        self.audioHash = audioHash
        self.tags = tags
        self.analysis = analysis
        self.payloadOffset = payloadOffset
        self.part = part
    }
}

/// The change that recording a file made to its track.
package struct RecordedTrack: Sendable {
    package enum Change: Sendable {
        /// Nothing has changed.
        case none
        /// The track is new, or available again.
        case added
        case changed
        case moved(from: RelativePath)
    }

    package var id: Int
    package var change: Change
}

extension LibraryStore {
    /// Stores the results for some files in one transaction.
    ///
    /// A known path keeps its track. For a new path, a track with the same audio whose own file is missing
    /// is assumed to have been moved: preferably one with the same file size. Everything else is a new track.
    /// - Parameters:
    ///   - records: the files, in any order.
    ///   - now: the time to store as the time of the change.
    ///   - isPresent: whether a file exists now; called for the old paths of files that may have moved.
    /// - Returns: the tracks' ids, in the order of the records.
    @discardableResult
    package func record(
        _ records: [TrackRecord], now: Date = Date(), isPresent: (RelativePath) -> Bool
    ) throws -> [Int] {
        try recordChanges(records, now: now, isPresent: isPresent).map(\.id)
    }

    /// Stores the results for some files and returns the change of each track.
    /// - Parameters:
    ///   - divisions: how the files are divided into tracks; files without an entry keep theirs.
    ///   - beforeTheEnd: called when everything has been written but not committed; an error rolls
    ///   back the transaction.
    package func recordChanges(
        _ records: [TrackRecord], divisions: [FileDivision] = [], now: Date = Date(),
        isPresent: (RelativePath) -> Bool, beforeTheEnd: () throws -> Void = {}
    ) throws -> [RecordedTrack] {
        try write { database in
            for division in divisions { try Self.save(division, database) }
            let bulk = records.count > 1 ? BulkInsertion() : nil
            let changes = try records.map { record in
                if let analysis = record.analysis {
                    try AnalysisRow.save(analysis, now: now, database)
                    if analysis.profile != nil { try Self.outdateAlbums(of: analysis.audioHash, database) }
                }
                return try Self.save(record, now: now, isPresent: isPresent, in: bulk, database)
            }
            try bulk?.end(database)
            try beforeTheEnd()
            return changes
        }
    }

    /// Stores an analysis, whether or not a track has this audio yet.
    package func save(_ analysis: TrackAnalysis, now: Date = Date()) throws {
        try write { database in
            try AnalysisRow.save(analysis, now: now, database)
            if analysis.profile != nil { try Self.outdateAlbums(of: analysis.audioHash, database) }
        }
    }

    /// Stores one file. Its analysis is stored separately, and before it.
    /// - Parameter bulk: inserts a new track together with others; nil to insert it alone.
    static func save(
        _ record: TrackRecord, now: Date, isPresent: (RelativePath) -> Bool, in bulk: BulkInsertion? = nil,
        _ database: Database
    ) throws -> RecordedTrack {
        let known = try knownTrack(for: record, isPresent: isPresent, database)
        try database.execute(
            "DELETE FROM analysis_failures WHERE relative_path IN (?, ?)",
            [record.path.text, known?.path.text ?? record.path.text])
        if let known, known.path == record.path, known.file == record.file, known.tags == record.tags,
            known.audioHash == record.audioHash, known.payloadOffset == record.payloadOffset,
            known.part == record.part,
            known.unavailableSince == nil
        {
            return RecordedTrack(id: known.id, change: .none)
        }
        var columns = ColumnValues()
        TrackRow.set(record: record, in: &columns)
        let artist = record.tags.artist ?? record.tags.albumArtist
        let albumID = try albumID(for: record, database)
        columns["title_sort"] = SortKey.key(title: record.tags.title, path: record.path)
        columns["artist_sort"] = SortKey.key(artist)
        columns["album_sort"] = SortKey.key(record.tags.album)
        columns["artist_id"] = try artist.map { try artistID(named: $0, database) }
        columns["album_id"] = albumID
        columns["changed_at_ms"] = now.storedMilliseconds
        columns["unavailable_since_ms"] = nil
        let id: Int
        if let known {
            id = known.id
            try bulk?.willUpdate(database)
            try columns.update("tracks", id: id, database)
        } else {
            columns["added_at_ms"] = now.storedMilliseconds
            try setSortedValues(of: record.audioHash, in: &columns, database)
            try bulk?.willInsert(database)
            try columns.insert(into: "tracks", database)
            id = Int(database.lastInsertRowID)
        }
        let isSameSound =
            known.map {
                $0.albumID == albumID && $0.audioHash == record.audioHash && $0.unavailableSince == nil
            } ?? false
        if !isSameSound {
            try outdateAlbums("id IN (?, ?)", [known?.albumID, albumID], database)
        }
        guard let known, known.unavailableSince == nil else {
            return RecordedTrack(id: id, change: .added)
        }
        return RecordedTrack(
            id: id, change: known.path == record.path ? .changed : .moved(from: known.path))
    }

    /// Sets what lists sort tracks by and analyses contain. A trigger would do it for the inserted row, which then would be written twice.
    private static func setSortedValues(
        of hash: AudioHash, in columns: inout ColumnValues, _ database: Database
    ) throws {
        let values = try database.fetchOne(
            "SELECT duration_seconds, bpm FROM analyses WHERE audio_hash = ?", [hash.bytes]
        ) { row -> (duration: Double?, tempo: Double?) in (try row["duration_seconds"], try row["bpm"]) }
        columns["duration_sort"] = values?.duration
        columns["bpm_sort"] = values?.tempo
    }

    private static func knownTrack(
        for record: TrackRecord, isPresent: (RelativePath) -> Bool, _ database: Database
    ) throws -> CatalogueTrack? {
        let samePath = try database.fetchOne(
            "SELECT * FROM tracks WHERE relative_path = ?", [record.path.text], TrackRow.track)
        if let samePath { return samePath }
        let sameAudio = try database.fetchAll(
            "SELECT * FROM tracks WHERE audio_hash = ? ORDER BY file_size = ? DESC, id",
            [record.audioHash.bytes, record.file.size], TrackRow.track)
        return sameAudio.first { !isPresent($0.path) }
    }

    private static func artistID(named name: String, _ database: Database) throws -> Int {
        let key = AlbumGrouping.folded(name)
        if let id: Int = try database.scalar("SELECT id FROM artists WHERE name_key = ?", [key]) { return id }
        try database.execute(
            "INSERT INTO artists (name, name_key, name_sort) VALUES (?, ?, ?)",
            [name, key, SortKey.key(name)])
        return Int(database.lastInsertRowID)
    }

    private static func albumID(for record: TrackRecord, _ database: Database) throws -> Int? {
        guard let album = AlbumGrouping(tags: record.tags, path: record.path) else { return nil }
        let known: Int? = try database.scalar("SELECT id FROM albums WHERE album_key = ?", [album.key])
        if let known { return known }
        let artist = try album.artist.map { try artistID(named: $0, database) }
        try database.execute(
            """
            INSERT INTO albums (album_key, title, title_sort, artist_id, is_compilation)
            VALUES (?, ?, ?, ?, ?)
            """, [album.key, album.title, SortKey.key(album.title), artist, album.isCompilation])
        return Int(database.lastInsertRowID)
    }

    static func outdateAlbums(of hash: AudioHash, _ database: Database) throws {
        try outdateAlbums("id IN (SELECT album_id FROM tracks WHERE audio_hash = ?)", [hash.bytes], database)
    }
}
