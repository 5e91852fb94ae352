internal import Foundation
public import MusicShared

/// Has the host plan how one of its tracks goes over into another: it knows more of them than the catalogue tells.
public struct HostPlanner: TransitionPlanner {
    private let host: String
    private let fields: TransportFields
    private let transport: any Transport
    private let options: CrossfadePlan.Options

    /// - Parameters:
    ///   - host: the host's address, without a slash at its end.
    ///   - fields: what its requests need: the key.
    ///   - transport: how it is asked.
    ///   - options: a listener's choices.
    public init(
        host: String, fields: TransportFields, transport: any Transport,
        options: CrossfadePlan.Options = CrossfadePlan.Options()
    ) {
        self.host = host
        self.fields = fields
        self.transport = transport
        self.options = options
    }

    /// The host's plan; by the catalogue where the host cannot be asked.
    public func plan(from: PlayableItem, to: PlayableItem) async -> CrossfadePlan? {
        guard let outgoing = from.facts, let incoming = to.facts else { return nil }
        let query =
            "?from=\(outgoing.id)&to=\(incoming.id)&target_lufs=\(options.targetLUFS)"
            + "&max_seconds=\(options.maximumSeconds)"
        let request = TransportRequest(host + Routes.crossfade + query, fields: fields)
        if let response = try? await transport.fetch(request), response.status == 200,
            let bytes = try? await response.body.collect(upTo: 1 << 16),
            let plan = try? JSONDecoder().decode(CrossfadePlan.self, from: Data(bytes))
        {
            return plan
        }
        return await FactsPlanner(options: options).plan(from: from, to: to)
    }
}
