internal import Catalogue
package import Foundation
internal import MusicShared
internal import Synchronization

extension AccountListening {
    /// Takes a player's report: shows what it plays, and adds a track to the history when it stops after half of it or four
    /// minutes.
    ///
    /// A track that is replaced by another without a stop ends, too. A stop counts nothing if the track was not reported
    /// before, or more than half an hour before it must have ended.
    /// - Returns: whether a track was added to the history; nil where the library does not have the track.
    @discardableResult
    package func take(_ report: PlaybackReport, client: String, now: Date = Date()) throws -> Bool? {
        guard let track = try look({ try $0.catalogue.track(id: report.trackID) }) else { return nil }
        let length = track.durationSeconds ?? NowPlaying.standardSeconds
        let (ended, isStart) = playing { playing in
            let before = playing.entries[client]?.session?.report.trackID
            let ended = playing.take(report, of: length, client, at: now)
            let isStart = report.state == .starting || report.state == .playing && before != report.trackID
            return (ended, isStart)
        }
        if isStart, !report.isUncounted {
            passOn([
                PlayNotice(
                    kind: .started, trackID: report.trackID, at: now.timeIntervalSince1970, secondsPlayed: nil
                )
            ])
        }
        guard let ended, ended.isPlay else { return false }
        var play = ListeningAction(.play, at: ended.startedAt.timeIntervalSince1970)
        play.trackID = ended.report.trackID
        play.secondsPlayed = ended.playedSeconds.rounded(to: 1000)
        play.client = client
        return try apply([play], now: now).results.contains { $0.status == .applied }
    }
}
