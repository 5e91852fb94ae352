internal import Foundation
public import MusicShared

/// Has the host plan how one of its tracks goes over into another: it knows more of them than the catalogue tells.
public struct HostPlanner: TransitionPlanner {
    private let connection: HostConnection
    private let options: CrossfadePlan.Options

    /// - Parameters:
    ///   - connection: the way to the host.
    ///   - options: a listener's choices.
    public init(_ connection: HostConnection, options: CrossfadePlan.Options = CrossfadePlan.Options()) {
        self.connection = connection
        self.options = options
    }

    /// The host's plan; by the catalogue where the host cannot be asked.
    public func plan(from: PlayableItem, to: PlayableItem) async -> CrossfadePlan? {
        guard let outgoing = from.facts, let incoming = to.facts else { return nil }
        var base = TransportRequest("")
        base.timeouts = TransportTimeouts(connect: 5, response: 10, idle: 10, whole: 20)
        let query: [(String, String?)] = [
            ("from", "\(outgoing.id)"), ("to", "\(incoming.id)"), ("target_lufs", "\(options.targetLUFS)"),
            ("max_seconds", "\(options.maximumSeconds)"),
        ]
        if let response = try? await connection.fetch(Routes.crossfade, query: query, base: base),
            response.status == 200, let bytes = try? await response.body.collect(upTo: 1 << 16),
            let plan = try? JSONDecoder().decode(CrossfadePlan.self, from: Data(bytes))
        {
            return plan
        }
        return await FactsPlanner(options: options).plan(from: from, to: to)
    }
}
