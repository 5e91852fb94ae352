internal import Catalogue
internal import Companion
internal import Foundation
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic

/// Makes the protocol's items of the catalogue's, within one look at the library.
struct SubsonicItems {
    /// The loudness that ReplayGain's gains lead to, in LUFS.
    private static let referenceLUFS = -18.0

    let reader: ListeningReader

    /// Returns a track as a song.
    func song(_ track: TrackItem) throws -> Child {
        let (state, details) = try facts([track])
        return Self.song(state[0], details[track.id])
    }

    /// Returns tracks as songs, with two queries for all of them.
    func songs(_ tracks: [TrackItem]) throws -> [Child] {
        let (states, details) = try facts(tracks)
        return states.map { Self.song($0, details[$0.id]) }
    }

    /// Returns the first tracks of a list as songs.
    func songs(_ list: ListeningList, limit: Int) throws -> [Child] {
        var details: [Int: TrackDetails] = [:]
        let tracks = try reader.tracks(list, limit: limit, offset: 0) { ids in
            let found = try reader.catalogue.detailedTracks(ids: ids)
            details = found.details
            return found.tracks
        }
        return tracks.items.map { Self.song($0, details[$0.id]) }
    }

    /// Returns the tracks with their listening states, and details by id.
    private func facts(_ tracks: [TrackItem]) throws -> (tracks: [TrackItem], details: [Int: TrackDetails]) {
        let hasStates = tracks.allSatisfy { $0.listening != nil }
        return (
            hasStates ? tracks : try reader.withStates(tracks),
            try reader.catalogue.trackDetails(ids: tracks.map(\.id))
        )
    }

    private static func song(_ track: TrackItem, _ details: TrackDetails?) -> Child {
        var song = Child(
            id: ItemID.track(track.id).description, isDirectory: false, title: title(track),
            mediaType: "song")
        song.parent = (track.albumID.map { ItemID.album($0) } ?? .folder).description
        song.album = track.album
        song.artist = track.artist
        song.track = track.trackNumber
        song.year = track.year
        song.genre = track.genre.flatMap { $0.isEmpty ? nil : $0 }
        song.coverArt = cover(track)
        song.discNumber = track.discNumber
        song.created = track.addedAt
        song.albumID = track.albumID.map { ItemID.album($0).description }
        song.artistID = track.artistID.map { ItemID.artist($0).description }
        song.comment = details?.comment
        song.composer = track.composer
        song.bpm = track.bpm.map { Int($0.rounded()) }
        song.artists = reference(track.artistID, track.artist)
        song.albumArtists = reference(details?.albumArtistID, details?.albumArtist)
        song.displayAlbumArtist = track.albumArtist ?? details?.albumArtist
        if let details { add(details, to: &song) }
        addFile(track, to: &song)
        add(track.listening, to: &song)
        song.replayGain = replayGain(track)
        return song
    }

    /// Returns an album with its state.
    func album(_ item: AlbumItem) throws -> AlbumID3 { try albums([item])[0] }

    /// Returns albums with their states, with a few queries for all of them.
    func albums(_ items: [AlbumItem]) throws -> [AlbumID3] {
        let items = items.allSatisfy { $0.listening != nil } ? items : try reader.withStates(items)
        let ids = items.map(\.id)
        let details = try reader.catalogue.albumDetails(ids: ids)
        let genres = try reader.catalogue.genres(albumIDs: ids)
        return items.map { Self.album($0, details[$0.id], genres[$0.id] ?? []) }
    }

    private static func album(_ item: AlbumItem, _ details: AlbumDetails?, _ genres: [String]) -> AlbumID3 {
        var album = AlbumID3(
            id: ItemID.album(item.id).description, name: item.title, songCount: item.trackCount,
            duration: Int(item.durationSeconds.rounded()), created: details?.addedAt ?? 0,
            isCompilation: item.isCompilation)
        album.artist = item.artist
        album.artistID = item.artistID.map { ItemID.artist($0).description }
        album.coverArt = album.id
        album.year = item.year
        album.genres = genres
        album.musicBrainzID = details?.musicBrainzID
        if let listening = item.listening {
            album.playCount = listening.playCount
            album.starred = listening.starredAt
            album.played = listening.lastPlayedAt
            album.userRating = listening.rating
        }
        return album
    }

    /// Returns albums as folders.
    func folders(_ items: [AlbumItem]) throws -> [Child] {
        zip(items, try albums(items)).map { Self.folder($0, $1) }
    }

    private static func folder(_ item: AlbumItem, _ album: AlbumID3) -> Child {
        var child = Child(id: album.id, isDirectory: true, title: album.name, mediaType: "album")
        child.parent = album.artistID ?? ItemID.folder.description
        child.album = album.name
        child.artist = album.artist
        child.artistID = album.artistID
        child.albumID = album.id
        child.coverArt = album.coverArt
        child.year = album.year
        child.genre = album.genres.first
        child.songCount = album.songCount
        child.duration = album.duration
        child.playCount = album.playCount
        child.created = album.created
        child.starred = album.starred
        child.played = album.played
        child.userRating = album.userRating
        child.artists = reference(item.artistID, item.artist)
        return child
    }

    /// Returns an artist with the state.
    func artist(_ item: ArtistItem) throws -> ArtistID3 { try artists([item])[0] }

    /// Returns artists with their states, with one query for all of them.
    func artists(_ items: [ArtistItem]) throws -> [ArtistID3] {
        let items = items.allSatisfy { $0.listening != nil } ? items : try reader.withMarks(items)
        return items.map(Self.artist)
    }

    private static func artist(_ item: ArtistItem) -> ArtistID3 {
        var artist = ArtistID3(
            id: ItemID.artist(item.id).description, name: item.name, albumCount: item.albumCount)
        artist.coverArt = artist.id
        artist.starred = item.listening?.starredAt
        artist.userRating = item.listening?.rating
        return artist
    }

    /// Returns artists as folders in a directory.
    func directories(_ items: [ArtistItem]) throws -> [Child] { try artists(items).map(Self.directory) }

    private static func directory(_ artist: ArtistID3) -> Child {
        var child = Child(id: artist.id, isDirectory: true, title: artist.name, mediaType: "artist")
        child.parent = ItemID.folder.description
        child.artist = artist.name
        child.artistID = artist.id
        child.coverArt = artist.coverArt
        child.starred = artist.starred
        child.userRating = artist.userRating
        return child
    }

    /// Returns a playlist without its songs.
    static func playlist(_ item: PlaylistItem, owner: String) -> Playlist {
        var playlist = Playlist(
            id: ItemID.playlist(item.id).description, name: item.name, owner: owner,
            songCount: item.trackCount, duration: Int(item.durationSeconds.rounded()),
            created: item.createdAt, changed: item.changedAt)
        playlist.comment = item.description
        playlist.isPublic = item.isPublic ?? false
        playlist.isReadOnly = item.rules != nil
        if item.trackCount > 0 { playlist.coverArt = playlist.id }
        return playlist
    }

    /// The title; without one, the file's name.
    static func title(_ track: TrackItem) -> String {
        if let title = track.title, !title.isEmpty { return title }
        let name = track.relativePath.split(separator: "/").last.map(String.init) ?? track.relativePath
        return AudioFormat.stem(of: name)
    }

    /// The id of the cover: the album's unless the file holds a picture, so that clients fetch it once for all songs.
    private static func cover(_ track: TrackItem) -> String {
        guard !track.hasCover, let album = track.albumID else { return ItemID.track(track.id).description }
        return ItemID.album(album).description
    }

    private static func reference(_ id: Int?, _ name: String?) -> [ArtistReference] {
        guard let id, let name else { return [] }
        return [ArtistReference(id: ItemID.artist(id).description, name: name)]
    }

    private static func add(_ details: TrackDetails, to song: inout Child) {
        song.sortName = details.titleSort
        song.musicBrainzID = details.musicBrainzID
        song.isrcs = details.isrcs
        song.moods = details.moods
        // The numbers of the tag ITUNESADVISORY.
        song.explicitStatus =
            switch details.advisory {
            case 1: "explicit"
            case 2: "clean"
            default: nil
            }
        let people = [
            ("lyricist", details.lyricist), ("conductor", details.conductor), ("remixer", details.remixer),
        ]
        song.contributors = people.compactMap { role, name in name.map { Contributor(role: role, name: $0) } }
    }

    private static func addFile(_ track: TrackItem, to song: inout Child) {
        // The file of a cue sheet's track is made when it is first played; the size in the catalogue is that of the whole album.
        let isPart = RelativePath(text: track.relativePath)?.sheetTrack != nil
        song.size = isPart ? nil : track.fileSizeBytes
        let format = track.format ?? AudioFormat(fileName: track.relativePath) ?? .mp3
        song.contentType = format.mediaType
        song.suffix = String(format.fileExtension.dropFirst())
        song.bitDepth = track.bitDepth
        song.path = track.relativePath
        song.duration = track.durationSeconds.map { Int($0.rounded()) }
        song.bitRate = track.averageBitRateBPS.map { Int((Double($0) / 1000).rounded()) }
        song.samplingRate = track.sampleRateHz
        song.channelCount = track.channels
    }

    private static func add(_ listening: ListeningState?, to song: inout Child) {
        guard let listening else { return }
        song.playCount = listening.playCount
        song.starred = listening.starredAt
        song.played = listening.lastPlayedAt
        song.userRating = listening.rating
    }

    /// Gains towards −18 LUFS (ReplayGain 2.0) and linear true peaks.
    private static func replayGain(_ track: TrackItem) -> ReplayGain {
        func gain(_ lufs: Double?) -> Double? { lufs.map { ((referenceLUFS - $0) * 100).rounded() / 100 } }
        func peak(_ decibels: Double?) -> Double? {
            decibels.map { (pow(10, $0 / 20) * 1_000_000).rounded() / 1_000_000 }
        }
        var values = ReplayGain()
        values.trackGain = gain(track.integratedLUFS)
        values.albumGain = gain(track.albumIntegratedLUFS)
        values.trackPeak = peak(track.truePeakDBTP)
        values.albumPeak = peak(track.albumTruePeakDBTP)
        return values
    }
}
