package import MusicShared

/// Plays as comma-separated values (RFC 4180): one row per play, columns named like the JSON keys.
package enum PlayTable {
    /// The header row.
    package static let header =
        "played_at,title,artist,album,relative_path,audio_hash,seconds_played,client\r\n"

    /// Returns the row of a play.
    package static func row(_ play: PlayItem) -> String {
        let cells = [
            "\(play.playedAt)", play.title ?? "", play.artist ?? "", play.album ?? "", play.relativePath,
            play.audioHash, play.secondsPlayed.map { "\($0)" } ?? "", play.client ?? "",
        ]
        return cells.map(CSVTable.cell).joined(separator: ",") + "\r\n"
    }
}
