internal import Synchronization

/// Counts the requests of a route. Counting takes a few atomic additions, without locks or allocations.
final class RouteMetrics: Sendable {
    /// Upper bounds of the duration classes in nanoseconds; one more class holds everything longer. A segment takes tens of
    /// microseconds, a catalogue page a millisecond, a download as long as the client's connection needs.
    static let bounds: [UInt64] = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000,
        250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 10_000_000_000,
    ]

    /// The route; nil for all requests without one.
    let route: RegisteredRoute?
    /// By the first digit of the status; 0 for requests that ended before a response.
    private let statusClasses = InlineArray<6, Atomic<UInt64>> { _ in Atomic(0) }
    private let durations = InlineArray<16, Atomic<UInt64>> { _ in Atomic(0) }
    private let nanoseconds = Atomic<UInt64>(0)
    private let byteCount = Atomic<UInt64>(0)
    private let cutCount = Atomic<UInt64>(0)

    init(route: RegisteredRoute?) { self.route = route }

    /// Counts a request that has ended.
    /// - Parameters:
    ///   - status: nil if no response was sent.
    ///   - duration: in nanoseconds; nil if the duration is meaningless, as for a WebSocket.
    func count(status: HTTPStatus?, byteCount: Int, duration: UInt64?, isComplete: Bool) {
        statusClasses[min(max(0, (status?.rawValue ?? 0) / 100), 5)].add(1, ordering: .relaxed)
        if byteCount > 0 { self.byteCount.add(UInt64(byteCount), ordering: .relaxed) }
        if !isComplete { cutCount.add(1, ordering: .relaxed) }
        guard let duration else { return }
        var index = 0
        while index < Self.bounds.count, duration > Self.bounds[index] { index += 1 }
        durations[index].add(1, ordering: .relaxed)
        nanoseconds.add(duration, ordering: .relaxed)
    }

    /// The counts at one moment, approximately: requests that end meanwhile may be included in only some of them.
    var snapshot: RequestMetrics.RouteCounts {
        RequestMetrics.RouteCounts(
            route: route,
            statusClasses: (0..<6).map { statusClasses[$0].load(ordering: .relaxed) },
            durations: (0..<16).map { durations[$0].load(ordering: .relaxed) },
            nanoseconds: nanoseconds.load(ordering: .relaxed), byteCount: byteCount.load(ordering: .relaxed),
            cutCount: cutCount.load(ordering: .relaxed))
    }
}
