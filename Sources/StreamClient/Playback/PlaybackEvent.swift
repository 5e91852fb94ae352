public import MusicShared

/// An event of the engine. Events are delivered in order.
public enum PlaybackEvent: Sendable, Equatable {
    /// The playback state has changed.
    case stateChanged(PlayerState)
    /// An item at an index of the queue has started to play.
    case itemStarted(PlayableItem, index: Int)
    /// An item has ended: played to its end, or abandoned.
    case itemEnded(PlayableItem, isComplete: Bool)
    /// The metadata of the current stream has changed.
    case factsChanged(MediaFacts)
    /// A station has reported a new title.
    case titleChanged(StationTitle)
    /// The queue has changed.
    case queueChanged
    /// The notice for the listener has changed; nil if it was removed.
    case noticed(PlaybackNotice?)
    /// The network throughput was measured, in bits per second.
    case bandwidthMeasured(Double)
    /// An item of the queue cannot be played.
    case failed(PlayableItem, PlaybackError)
}
