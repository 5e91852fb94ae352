public import MusicShared

/// Plans the transition between two tracks.
public protocol TransitionPlanner: Sendable {
    /// Returns the plan; nil if none can be made, in which case the tracks follow each other without a fade.
    func plan(from: PlayableItem, to: PlayableItem) async -> CrossfadePlan?
}

/// Plans transitions from the metadata of both tracks, as the host does.
public struct FactsPlanner: TransitionPlanner {
    private let options: CrossfadePlan.Options

    /// Creates a planner with the user's crossfade settings.
    public init(options: CrossfadePlan.Options = CrossfadePlan.Options()) { self.options = options }

    /// Returns the plan from one track to the next.
    public func plan(from: PlayableItem, to: PlayableItem) async -> CrossfadePlan? {
        guard let outgoing = from.facts, let incoming = to.facts else { return nil }
        return CrossfadePlan(from: outgoing, to: incoming, options: options)
    }
}
