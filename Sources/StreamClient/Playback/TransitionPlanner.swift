public import MusicShared

/// Plans how one track goes over into another.
public protocol TransitionPlanner: Sendable {
    /// The plan; nil where nothing can be said, so that one follows the other as it is.
    func plan(from: PlayableItem, to: PlayableItem) async -> CrossfadePlan?
}

/// Plans by what is known of both tracks, as the host does.
public struct FactsPlanner: TransitionPlanner {
    private let options: CrossfadePlan.Options

    /// Plans with a listener's choices.
    public init(options: CrossfadePlan.Options = CrossfadePlan.Options()) { self.options = options }

    /// The plan from one track to the next.
    public func plan(from: PlayableItem, to: PlayableItem) async -> CrossfadePlan? {
        guard let outgoing = from.facts, let incoming = to.facts else { return nil }
        return CrossfadePlan(from: outgoing, to: incoming, options: options)
    }
}
