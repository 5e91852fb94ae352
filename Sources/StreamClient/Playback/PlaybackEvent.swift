/// What happens in the engine, in order.
public enum PlaybackEvent: Sendable, Equatable {
    /// Playback stands elsewhere than before.
    case stateChanged(PlayerState)
    /// Something begins to sound, at a place of the queue.
    case itemStarted(PlayableItem, index: Int)
    /// Something has ended: played to its end, or given up.
    case itemEnded(PlayableItem, isComplete: Bool)
    /// More is known of what is playing.
    case factsChanged(MediaFacts)
    /// A station says what it is playing.
    case titleChanged(StationTitle)
    /// The queue is another.
    case queueChanged
    /// There is something to tell the listener; nil when it is over.
    case noticed(PlaybackNotice?)
    /// The network's speed was measured, in bits per second.
    case bandwidthMeasured(Double)
    /// Something of the queue cannot be played.
    case failed(PlayableItem, PlaybackError)
}
