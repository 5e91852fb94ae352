internal import APIDescription
internal import HTTPServer
internal import MusicShared
internal import Synchronization

/// Whether a load balancer should send requests to this host.
final class Readiness: Sendable {
    private let isDraining = Mutex(false)
    /// Whether a follower has copied what it serves; always true for a primary.
    private let hasCopies: @Sendable () -> Bool

    init(hasCopies: @escaping @Sendable () -> Bool) { self.hasCopies = hasCopies }

    /// Reports from now on that the host is stopping.
    func drain() { isDraining.withLock { $0 = true } }

    var isReady: Bool { !isDraining.withLock { $0 } && hasCopies() }
}

/// Tells load balancers whether the host takes requests.
struct ReadinessRoutes: DescribedRoutes {
    static let tag = "Host"

    static let operations = [
        operation(
            .get, Routes.ready, "ready", "Ask whether the host takes requests",
            details: """
                For load balancers. A host that was asked to stop answers 503 for the time set with `--drain`, and goes on \
                serving; so does a follower until it has copied the primary's library.
                """, access: .open,
            answer: .json(["status": .oneOf(["ready"])], "The host takes requests."), errors: [.notReady])
    ]

    let readiness: Readiness

    private struct Answer: Encodable { let status = "ready" }

    func add(to routes: some RouteCollection) {
        routes.get(Routes.ready, execution: .inline) { _ in
            guard readiness.isReady else { throw APIError.notReady(fields: [.retryAfter: "5"]) }
            return try .json(Answer())
        }
    }
}
