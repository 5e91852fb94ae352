public import MusicShared

extension PlayableItem {
    /// An item for a host's track.
    /// - Parameters:
    ///   - connection: the connection to the host. The item uses the address that responded last; a ``HostLocator`` updates
    ///     it when the item is played.
    public init(_ track: TrackItem, of connection: HostConnection) {
        let request = connection.request(Routes.path(Routes.masterPlaylist, track.id))
        self.init(track, at: .address(request?.address ?? "", fields: request?.fields ?? [:]))
    }

    /// An item for a track of a catalogue.
    /// - Parameter location: where the audio is.
    public init(_ track: TrackItem, at location: Location) {
        self.init(id: "track:\(track.id)", location: location, title: track.title ?? track.relativePath)
        trackID = track.id
        artist = track.artist
        album = track.album
        durationSeconds = track.durationSeconds
        facts = CrossfadeTrack(track)
    }
}

extension CrossfadeTrack {
    /// The catalogue's data about a track; nil if the track has not been analysed.
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
        startKey = track.keyCamelot.flatMap { CamelotKey($0) }
        endKey = startKey
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
