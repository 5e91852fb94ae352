import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("Request metrics", .timeLimit(.minutes(30)))
struct RequestMetricsTests {
    private static let large = 64 << 20

    /// Runs a server whose requests are counted.
    private func withCounts(
        _ body: (RequestMetrics, _ base: String) async throws -> Void
    ) async throws {
        let metrics = RequestMetrics()
        let router = Router(metrics: metrics)
        router.get("/fast", execution: .inline) { _ in .text(String(repeating: "x", count: 1000)) }
        router.get("/items/:id") { request in .text("\(request.path)") }
        router.post("/items/:id") { _ in HTTPResponse(.created) }
        router.get("/slow") { _ in
            try await Task.sleep(for: .milliseconds(300))
            return .text("at last")
        }
        router.get("/broken") { _ in throw CocoaError(.fileReadUnknown) }
        router.get("/stream") { _ in
            HTTPResponse(
                body: .stream(
                    ResponseStream { writer in
                        for _ in 0..<(Self.large >> 16) {
                            try await writer.write([UInt8](repeating: 7, count: 1 << 16))
                        }
                    }))
        }
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.threadCount = 2
        let server = try HTTPServer(router.build(), configuration: configuration)
        do {
            try await body(metrics, "http://127.0.0.1:\(server.port)")
        } catch {
            await server.shutdown(withinSeconds: 0)
            throw error
        }
        await server.shutdown(withinSeconds: 2)
        #expect(metrics.runningCount == 0 && metrics.connectionCount == 0)
    }

    private func counts(_ metrics: RequestMetrics, _ path: String?, _ method: HTTPMethod = .get) throws
        -> RequestMetrics.RouteCounts
    {
        try #require(
            metrics.counts.first { $0.route == path.map { RegisteredRoute(method: method, path: $0) } })
    }

    /// The last request may still be in progress when curl has its response.
    private func settles(_ metrics: RequestMetrics) async throws {
        try await until { metrics.runningCount == 0 }
    }

    @Test(
        "Requests and bytes are counted by route, method and status class; HEAD counts as GET without bytes"
    )
    func kinds() async throws {
        try await withCounts { metrics, base in
            #expect(metrics.counts.isEmpty)
            try await run("curl", ["-sS", "\(base)/fast?[1-20]", "-o", "/dev/null"])
            try await run("curl", ["-sS", "-I", "\(base)/fast", "-o", "/dev/null"])
            try await run("curl", ["-sS", "\(base)/items/[10-59]", "-o", "/dev/null"])
            try await run("curl", ["-sS", "-X", "POST", "\(base)/items/[1-3]", "-o", "/dev/null"])
            try await run("curl", ["-sS", "\(base)/broken", "-o", "/dev/null"])
            try await run("curl", ["-sS", "\(base)/nothing/[1-7]", "-X", "MADEUP", "-o", "/dev/null"])
            try await run("curl", ["-sS", "-X", "DELETE", "\(base)/fast", "-o", "/dev/null"])
            try await settles(metrics)
            let fast = try counts(metrics, "/fast")
            #expect(fast.statusClasses == [0, 0, 21, 0, 0, 0] && fast.byteCount == 20_000)
            #expect(fast.durations.reduce(0, +) == 21 && fast.nanoseconds > 0 && fast.cutCount == 0)
            // "/items/10" and so on.
            let items = try counts(metrics, "/items/:id")
            #expect(items.statusClasses[2] == 50 && items.byteCount == 50 * 9)
            #expect(try counts(metrics, "/items/:id", .post).statusClasses[2] == 3)
            #expect(try counts(metrics, "/broken").statusClasses[5] == 1)
            #expect(try counts(metrics, nil).statusClasses == [0, 0, 0, 0, 8, 0])
            #expect(metrics.counts.count == 5)
        }
    }

    @Test("Each of many concurrent requests is counted once")
    func concurrency() async throws {
        try await withCounts { metrics, base in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await HTTPServerTests.run(
                            "curl", ["-sS", "\(base)/fast?[1-500]", "-o", "/dev/null"])
                    }
                }
                try await group.waitForAll()
            }
            try await settles(metrics)
            let fast = try counts(metrics, "/fast")
            #expect(fast.statusClasses[2] == 2000 && fast.durations.reduce(0, +) == 2000)
            #expect(fast.byteCount == 2_000_000)
        }
    }

    @Test("Durations cover the whole response")
    func durations() async throws {
        try await withCounts { metrics, base in
            try await run("curl", ["-sS", "\(base)/slow?[1-3]", "-o", "/dev/null"])
            try await settles(metrics)
            let slow = try counts(metrics, "/slow")
            let classes = zip(RequestMetrics.durationBounds, slow.durations)
            #expect(classes.allSatisfy { $0 >= 0.3 || $1 == 0 })
            #expect(slow.durations.reduce(0, +) == 3)
            #expect((0.9..<60).contains(Double(slow.nanoseconds) / 1e9))
            #expect(RequestMetrics.durationBounds == RequestMetrics.durationBounds.sorted())
            #expect(slow.durations.count == RequestMetrics.durationBounds.count + 1)
        }
    }

    @Test("A stream counts the bytes sent, also for an aborted response")
    func streams() async throws {
        try await withCounts { metrics, base in
            try await run("curl", ["-sS", "\(base)/stream", "-o", "/dev/null"])
            try await settles(metrics)
            #expect(try counts(metrics, "/stream").byteCount == UInt64(Self.large))
            #expect(try counts(metrics, "/stream").cutCount == 0)
            // Stops after the first bytes.
            try await run(
                "sh", ["-c", "curl -sS --limit-rate 100k \(base)/stream | head -c 1000 > /dev/null"],
                mustSucceed: false)
            try await settles(metrics)
            let both = try counts(metrics, "/stream")
            #expect(both.cutCount == 1 && both.statusClasses[2] == 2)
            #expect(both.byteCount > UInt64(Self.large) && both.byteCount < UInt64(2 * Self.large))
        }
    }
}
