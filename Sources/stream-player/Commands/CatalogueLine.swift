import CommandLineProgram
import MusicShared

/// Formats catalogue items as lines, each starting with the id that `play` and `download` accept.
enum CatalogueLine {
    static func artist(_ artist: ArtistItem) -> String {
        line(
            "artist:\(artist.id)", [artist.name, "\(artist.albumCount) albums, \(artist.trackCount) tracks"])
    }

    static func album(_ album: AlbumItem) -> String {
        line(
            "album:\(album.id)",
            [
                album.title, album.artist, album.year.map(String.init),
                "\(album.trackCount) tracks, \(time(album.durationSeconds))",
            ])
    }

    static func track(_ track: TrackItem) -> String {
        line(
            "track:\(track.id)",
            [track.title ?? track.relativePath, track.artist, track.album, track.durationSeconds.map(time)])
    }

    static func playlist(_ playlist: PlaylistItem) -> String {
        line(
            "playlist:\(playlist.id)",
            [playlist.name, "\(playlist.trackCount) tracks, \(time(playlist.durationSeconds))"])
    }

    private static func line(_ id: String, _ parts: [String?]) -> String {
        let padded = id + String(repeating: " ", count: max(1, 14 - id.count))
        return padded + parts.compactMap { $0 }.map(Terminal.harmless).joined(separator: "  ·  ")
    }

    /// Formats a duration as minutes and seconds, with hours if needed.
    static func time(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":" + two(whole % 60)
    }
}
