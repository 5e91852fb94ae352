public import MusicShared

extension PlayableItem {
    /// A track of a host.
    /// - Parameters:
    ///   - connection: the way to the host. The item is at the address that answered last; where it is when its turn comes says a
    ///     ``HostLocator``.
    public init(_ track: TrackItem, of connection: HostConnection) {
        let request = connection.request(Routes.path(Routes.masterPlaylist, track.id))
        self.init(
            id: "track:\(track.id)",
            location: .address(request?.address ?? "", fields: request?.fields ?? [:]),
            title: track.title ?? track.relativePath)
        trackID = track.id
        artist = track.artist
        album = track.album
        durationSeconds = track.durationSeconds
        facts = CrossfadeTrack(track)
    }
}

extension CrossfadeTrack {
    /// What the catalogue knows of a track; nil where it has not been analysed.
    public init?(_ track: TrackItem) {
        guard let duration = track.durationSeconds else { return nil }
        self.init(
            id: track.id, durationSeconds: duration,
            ending: track.ending.flatMap { Ending(rawValue: $0) } ?? .hard)
        cueInSeconds = track.cueInSeconds ?? 0
        cueOutSeconds = track.cueOutSeconds ?? duration
        fadeInEndSeconds = track.fadeInEndSeconds ?? cueInSeconds
        fadeOutStartSeconds = track.fadeOutStartSeconds ?? cueOutSeconds
        startNextSeconds = track.startNextSeconds ?? cueOutSeconds
        loudness = Loudness(track.integratedLUFS, track.truePeakDBTP)
        albumLoudness = Loudness(track.albumIntegratedLUFS, track.albumTruePeakDBTP)
        key = track.keyCamelot.flatMap { CamelotKey($0) }
        if let album = track.albumID, let number = track.trackNumber {
            place = AlbumPlace(albumID: album, disc: track.discNumber ?? 1, track: number)
        }
    }
}

extension CrossfadeTrack.Loudness {
    fileprivate init?(_ integrated: Double?, _ peak: Double?) {
        guard let integrated, let peak else { return nil }
        self.init(integratedLUFS: integrated, truePeakDBTP: peak)
    }
}
