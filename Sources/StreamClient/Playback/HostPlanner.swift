internal import Foundation
public import MusicShared

/// Requests transition plans from the host, which knows more about its tracks than the catalogue contains.
public struct HostPlanner: TransitionPlanner {
    private let connection: HostConnection
    private let options: CrossfadePlan.Options

    /// - Parameters:
    ///   - connection: the connection to the host.
    ///   - options: the user's crossfade settings.
    public init(_ connection: HostConnection, options: CrossfadePlan.Options = CrossfadePlan.Options()) {
        self.connection = connection
        self.options = options
    }

    /// Returns the host's plan, or one computed from the catalogue if the host cannot be reached.
    public func plan(from: PlayableItem, to: PlayableItem) async -> CrossfadePlan? {
        guard let outgoing = from.facts, let incoming = to.facts else { return nil }
        var base = TransportRequest("")
        base.timeouts = TransportTimeouts(connect: 5, response: 10, idle: 10, whole: 20)
        let query: [(String, String?)] = [
            ("from", "\(outgoing.id)"), ("to", "\(incoming.id)"), ("target_lufs", "\(options.targetLUFS)"),
            ("max_seconds", "\(options.maximumSeconds)"), ("mode", options.mode.rawValue),
            ("max_beats", "\(options.maximumBeats)"), ("only_when_it_fits", "\(options.onlyWhenItFits)"),
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
