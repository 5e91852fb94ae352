/// What a client tells the host: one text message each, as JSON that names the command as its only key.
///
/// ```json
/// {"play":{"trackId":17,"queueIds":[16,17,18]}}
/// {"pause":{}}
/// {"seek":{"position":63.5}}
/// ```
///
/// This is the form that Swift derives for such a type, so that apps which have the type need nothing else. The client plays
/// by itself: the commands keep the host aware of what it does.
public enum RemoteCommand: Codable, Sendable, Equatable {
    /// The client plays a track, and what it plays before and after it.
    case play(trackId: Int, queueIds: [Int])
    /// It paused.
    case pause
    /// It goes on.
    case resume
    /// It went to the queue's next track.
    case next
    /// It went to the track before.
    case previous
    /// It went to a place in the track, in seconds.
    case seek(position: Double)
    /// Its volume, 0 to 1.
    case setVolume(level: Double)
    /// It turned shuffled play on or off.
    case toggleShuffle
    /// It asks for the library as it is now; ``HostEvent/dbReady`` answers.
    case refreshDB
}
