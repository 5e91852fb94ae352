/// What the cache knows of one track's file.
public struct CachedFile: Sendable, Equatable {
    /// How far it is.
    public enum State: Sendable, Equatable {
        /// It waits for its turn; a part of it may be there.
        case pending
        /// It is being downloaded.
        case downloading
        /// It is all there.
        case complete
        /// It could not be downloaded, and why. It is tried again when somebody asks for it.
        case failed(reason: String)
    }

    /// The track.
    public var trackID: Int
    /// How far it is.
    public var state: State
    /// How many bytes of it are there.
    public var receivedBytes: Int
    /// How many bytes it has; nil until the host has said so.
    public var totalBytes: Int?
    /// Whether it was downloaded to be there without the host: then it is never removed to make room.
    public var isKept: Bool
}

/// How urgent a file is. Of those that are equally urgent, the one that was asked for first comes first.
public enum CachePriority: Int, Sendable, Comparable, CaseIterable {
    /// To be there without the host some time.
    case offline = 0
    /// To be played some tracks later.
    case upcoming = 1
    /// To be played next.
    case next = 2
    /// Played now.
    case current = 3

    /// Whether one is less urgent than the other.
    public static func < (one: CachePriority, other: CachePriority) -> Bool {
        one.rawValue < other.rawValue
    }
}
