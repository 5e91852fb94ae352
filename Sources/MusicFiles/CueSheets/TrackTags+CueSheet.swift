package import CueSheets
package import Tagging

extension TrackTags {
    /// The tags of a track of a cue sheet.
    ///
    /// Texts of the sheet go before the tags of the file, which describe the album; what describes one
    /// recording is never taken from the file.
    /// - Parameters:
    ///   - track: the track.
    ///   - sheet: its cue sheet.
    ///   - file: the tags of the whole file.
    package init(of track: CueSheet.Track, in sheet: CueSheet, file: TrackTags) {
        let (own, album) = (track.texts, sheet.texts)
        self = file
        title = own.title ?? "Track \(track.number)"
        artist = own.performer ?? album.performer ?? file.artist ?? file.albumArtist
        self.album = album.title ?? file.album ?? file.title
        albumArtist = file.albumArtist ?? album.performer
        composer = own.songwriter ?? album.songwriter ?? file.composer
        self.track = NumberInSet(number: track.number, total: sheet.tracks.count(where: \.isAudio))
        let number = { Self.number(album.remarks[$0]) }
        disc = NumberInSet(
            number: number("DISCNUMBER") ?? file.disc.number, total: number("TOTALDISCS") ?? file.disc.total)
        year = Self.year(own.remarks["DATE"] ?? album.remarks["DATE"]) ?? file.year
        genre = own.remarks["GENRE"] ?? album.remarks["GENRE"] ?? file.genre
        comment = own.remarks["COMMENT"]
        isrc = track.isrc
        replayGain = ReplayGainTags(
            trackGainText: own.remarks["REPLAYGAIN_TRACK_GAIN"],
            trackPeakText: own.remarks["REPLAYGAIN_TRACK_PEAK"],
            albumGainText: album.remarks["REPLAYGAIN_ALBUM_GAIN"],
            albumPeakText: album.remarks["REPLAYGAIN_ALBUM_PEAK"])
        mixRamp = MixRampTags()
        bpm = nil
        initialKey = nil
        musicBrainzTrackID = nil
        titleSort = nil
        mood = nil
        advisory = nil
    }

    private static func number(_ text: String?) -> Int? {
        text.flatMap { Int($0) }.flatMap { 1...999 ~= $0 ? $0 : nil }
    }

    /// The year of a date such as "1973" or "1973-03-01".
    private static func year(_ text: String?) -> Int? {
        guard let digits = text?.prefix(4), digits.utf8.count == 4, let year = Int(digits) else { return nil }
        return year > 0 ? year : nil
    }
}
