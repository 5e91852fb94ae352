internal import Analyzer
internal import Foundation
internal import SQLiteDatabase
internal import Tagging

/// Converts between rows of `tracks` and ``CatalogueTrack``.
enum TrackRow {
    static func set(path: RelativePath, in columns: inout ColumnValues) {
        columns["relative_path"] = path.text
        columns["path_bytes"] = path.isPlainText ? nil : path.bytes
    }

    /// Sets what a file's results contain: path, audio, file and tags.
    static func set(record: TrackRecord, in columns: inout ColumnValues) {
        set(path: record.path, in: &columns)
        columns["audio_hash"] = record.audioHash.bytes
        columns["file_size"] = record.file.size
        columns["modified_at_ns"] = record.file.modificationTimeNanoseconds
        columns["payload_offset"] = record.payloadOffset
        columns["part_offset"] = record.part?.bytes.lowerBound
        columns["part_byte_count"] = record.part?.bytes.count
        columns["part_skipped_samples"] = record.part?.skippedSamples
        columns["part_sample_count"] = record.part?.sampleCount
        columns["part_start_sample"] = record.part?.startSample
        set(tags: record.tags, in: &columns)
    }

    static func set(tags: TrackTags, in columns: inout ColumnValues) {
        columns["title"] = tags.title
        columns["artist"] = tags.artist
        columns["album"] = tags.album
        columns["album_artist"] = tags.albumArtist
        columns["track_number"] = tags.track.number
        columns["track_total"] = tags.track.total
        columns["disc_number"] = tags.disc.number
        columns["disc_total"] = tags.disc.total
        columns["year"] = tags.year
        columns["genre"] = tags.genre
        columns["composer"] = tags.composer
        columns["comment"] = tags.comment
        columns["is_compilation"] = tags.isCompilation
        columns["has_cover"] = tags.hasCover
        columns["musicbrainz_album_id"] = tags.musicBrainzAlbumID
        columns["tagged_track_gain_db"] = tags.replayGain.trackGainDB
        columns["tagged_track_peak"] = tags.replayGain.trackPeak
        columns["tagged_album_gain_db"] = tags.replayGain.albumGainDB
        columns["tagged_album_peak"] = tags.replayGain.albumPeak
        columns["tagged_mixramp_start"] = tags.mixRamp.start
        columns["tagged_mixramp_end"] = tags.mixRamp.end
        columns["tagged_mixramp_reference"] = tags.mixRamp.reference
        columns["isrc"] = tags.isrc
        columns["musicbrainz_track_id"] = tags.musicBrainzTrackID
        columns["tagged_title_sort"] = tags.titleSort
        columns["mood"] = tags.mood
        columns["advisory"] = tags.advisory
        columns["lyricist"] = tags.lyricist
        columns["conductor"] = tags.conductor
        columns["remixer"] = tags.remixer
        columns["tagged_bpm"] = tags.bpm
        columns["tagged_key"] = tags.initialKey
        columns["tag_kinds"] = tags.kinds.rawValue
    }

    static func track(_ row: borrowing Row) throws -> CatalogueTrack {
        let unavailable: Int? = try row["unavailable_since_ms"]
        return CatalogueTrack(
            id: try row["id"],
            path: try path(row),
            file: FileState(
                size: try row["file_size"], modificationTimeNanoseconds: try row["modified_at_ns"]),
            audioHash: try hash(row["audio_hash"]),
            tags: try tags(row),
            artistID: try row["artist_id"],
            albumID: try row["album_id"],
            addedAt: Date(storedMilliseconds: try row["added_at_ms"]),
            changedAt: Date(storedMilliseconds: try row["changed_at_ms"]),
            unavailableSince: unavailable.map { Date(storedMilliseconds: $0) },
            payloadOffset: try row["payload_offset"], part: try part(row))
    }

    private static func part(_ row: borrowing Row) throws -> AudioPart? {
        guard let offset: Int = try row["part_offset"] else { return nil }
        let count: Int = try row["part_byte_count"]
        guard offset >= 0, count > 0, count <= Int.max - offset else {
            throw StoreError(.damagedRow, "a track has an invalid part of its file")
        }
        return AudioPart(
            bytes: offset..<offset + count, skippedSamples: try row["part_skipped_samples"],
            sampleCount: try row["part_sample_count"], startSample: try row["part_start_sample"])
    }

    /// Reads a path from the columns `relative_path` and `path_bytes`.
    static func path(_ row: borrowing Row) throws -> RelativePath {
        let text: String = try row["relative_path"]
        let bytes: [UInt8]? = try row["path_bytes"]
        let path = bytes.map { RelativePath(bytes: $0) } ?? RelativePath(text: text)
        guard let path else {
            throw StoreError(.damagedRow, "a track has an invalid path: \(text)")
        }
        return path
    }

    static func hash(_ bytes: [UInt8]) throws(StoreError) -> AudioHash {
        guard let hash = AudioHash(bytes: bytes) else {
            throw StoreError(.damagedRow, "a hash has \(bytes.count) bytes")
        }
        return hash
    }

    private static func tags(_ row: borrowing Row) throws -> TrackTags {
        var tags = TrackTags()
        tags.title = try row["title"]
        tags.artist = try row["artist"]
        tags.album = try row["album"]
        tags.albumArtist = try row["album_artist"]
        tags.track = NumberInSet(number: try row["track_number"], total: try row["track_total"])
        tags.disc = NumberInSet(number: try row["disc_number"], total: try row["disc_total"])
        tags.year = try row["year"]
        tags.genre = try row["genre"]
        tags.composer = try row["composer"]
        tags.comment = try row["comment"]
        tags.isCompilation = try row["is_compilation"]
        tags.hasCover = try row["has_cover"]
        tags.musicBrainzAlbumID = try row["musicbrainz_album_id"]
        tags.replayGain = ReplayGainTags(
            trackGainDB: try row["tagged_track_gain_db"], trackPeak: try row["tagged_track_peak"],
            albumGainDB: try row["tagged_album_gain_db"], albumPeak: try row["tagged_album_peak"])
        tags.mixRamp = MixRampTags(
            start: try row["tagged_mixramp_start"], end: try row["tagged_mixramp_end"],
            reference: try row["tagged_mixramp_reference"])
        tags.isrc = try row["isrc"]
        tags.musicBrainzTrackID = try row["musicbrainz_track_id"]
        tags.titleSort = try row["tagged_title_sort"]
        tags.mood = try row["mood"]
        tags.advisory = try row["advisory"]
        tags.lyricist = try row["lyricist"]
        tags.conductor = try row["conductor"]
        tags.remixer = try row["remixer"]
        tags.bpm = try row["tagged_bpm"]
        tags.initialKey = try row["tagged_key"]
        tags.kinds = TagKinds(rawValue: try row["tag_kinds"])
        return tags
    }
}
