public import MusicShared

/// Plays as comma-separated values (RFC 4180), one row a play, columns named as the keys of the JSON form.
public enum PlayTable {
    /// The first row.
    public static let header =
        "played_at,title,artist,album,relative_path,audio_hash,seconds_played,client\r\n"

    /// The row of a play.
    public static func row(_ play: PlayItem) -> String {
        let cells = [
            "\(play.playedAt)", play.title ?? "", play.artist ?? "", play.album ?? "", play.relativePath,
            play.audioHash, play.secondsPlayed.map { "\($0)" } ?? "", play.client ?? "",
        ]
        return cells.map(CSVTable.cell).joined(separator: ",") + "\r\n"
    }
}
