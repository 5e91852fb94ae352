import Companion
import Foundation
import HTTPServer
import MusicShared
import Testing
import TestSupport
@testable import HostAccounts
@testable import LibraryStore

@testable import Secrets
@testable import StreamHost

@Suite("Metrics", .timeLimit(.minutes(30)))
struct MetricsRouteTests {
    /// Returns the samples as parsed by the Prometheus client library.
    private func samples(_ text: [UInt8]) async throws -> [String: Double] {
        let directory = try TemporaryDirectory()
        let file = try directory.write(text, as: "metrics")
        let script = "\(PythonTools.root)/Tests/TestSupport/Clients/read_metrics.py"
        let run = try await ProcessRun.aside(try await PythonTools.program("python"), ["-B", script, file])
        return try JSONDecoder().decode([String: Double].self, from: run.output)
    }

    @Test("The Prometheus client can parse the metrics, and they count requests and tracks")
    func route() async throws {
        let files = try (1...2).map { seed in
            (
                "\(seed).mp3",
                try Encoders.lame(PCM.music(frameCount: 7 * 44_100, seed: UInt64(seed)), ["-b", "64"])
            )
        }
        try await ServedLibrary.with(files) { served in
            let segment = try await served.get("/tracks/1/segments/0.mp3")
            #expect(segment.status == 200)
            for _ in 0..<3 { #expect(try await served.get("/tracks/1/segments/999.mp3").status == 404) }
            #expect(try await served.get("/auth", key: "").status == 401)
            #expect(try await served.get("/etc/%22passwd%0A", key: "").status == 404)
            let answer = try await served.get("/metrics")
            #expect(answer.field("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
            let samples = try await samples(answer.body)
            let labels = "method=\"GET\",route=\"/tracks/:id/segments/:index.mp3\""
            #expect(samples["http_requests_total{\(labels),status=\"2xx\"}"] == 1)
            #expect(samples["http_requests_total{\(labels),status=\"4xx\"}"] == 3)
            #expect(samples["http_request_duration_seconds_count{\(labels)}"] == 4)
            #expect(
                try #require(samples["http_response_bytes_total{\(labels)}"]) > Double(segment.body.count))
            #expect(samples["http_requests_total{method=\"GET\",route=\"/auth\",status=\"4xx\"}"] == 1)
            #expect(samples["http_requests_total{method=\"any\",route=\"none\",status=\"4xx\"}"] == 1)
            #expect(!answer.text.contains("passwd"))
            #expect(samples["stream_host_tracks"] == 2 && samples["stream_host_queue_length"] == 0)
            // The metrics request itself.
            #expect(samples["http_requests_running"] == 1 && samples["websocket_clients"] == 0)
            // Compare with ps; other tests in this process change its memory use meanwhile.
            let ps = try await ProcessRun.aside("ps", ["-o", "rss=", "-p", "\(getpid())"]).text
            let resident = try #require(Double(ps.trimmingCharacters(in: .whitespacesAndNewlines))) * 1024
            let told = try #require(samples["process_resident_memory_bytes"])
            #expect(told > resident / 4 && told < resident * 4)
            let start = try #require(samples["process_start_time_seconds"])
            let age = Date().timeIntervalSince1970 - start
            let elapsed = try await ProcessRun.aside("ps", ["-o", "etimes=", "-p", "\(getpid())"]).text
            #expect(abs(age - (Double(elapsed.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -100)) < 30)
            #expect(try #require(samples["process_open_fds"]) > 3)
            #expect(try #require(samples["process_cpu_seconds_total"]) > 0)
        }
    }

    @Test("Both the API key and the metrics token grant access; the token to /metrics only")
    func access() throws {
        let directory = try TemporaryDirectory()
        let secrets = try HostSecrets(dataFolder: directory.path)
        let access = AccessMiddleware(
            secrets: CurrentSecrets(secrets, dataFolder: directory.path) { _ in },
            accounts: try Accounts(data: try DataFolder(path: directory.path)),
            limiter: FailureLimiter(allowed: 10), requiresNoKey: false,
            metricsToken: SecretBytes(Array("scrape-scrape-scrape".utf8)))
        func isAllowed(_ path: String, _ token: String?) -> Bool {
            access.isAllowed(
                HTTPRequest(.get, path, fields: token.map { [.authorization: "Bearer \($0)"] } ?? [:]))
        }
        #expect(isAllowed("/metrics", "scrape-scrape-scrape") && isAllowed("/metrics", secrets.apiKeyText))
        for wrong in ["", "scrape-scrape-scrap", "scrape-scrape-scrape2", nil] {
            #expect(!isAllowed("/metrics", wrong))
        }
        for path in ["/auth", "/db", "/metrics/", "/metrics/x", "//metrics"] {
            #expect(!isAllowed(path, "scrape-scrape-scrape"), "\(path)")
        }
        #expect(isAllowed("/metrics?x=1", "scrape-scrape-scrape"))
    }

    @Test("Help texts and label values are escaped")
    func escapes() async throws {
        var text = PrometheusText()
        text.begin("a_thing", .gauge, "Help with\na line and \\ a stroke.")
        text.sample(1, ["name": "quote \" stroke \\ line \n end"])
        text.sample(.infinity, ["name": "b"])
        text.sample(0.1, ["name": "c"])
        text.sample(1e20, ["name": "d"])
        let samples = try await samples(Array(text.text.replacing("+Inf", with: "9e99").utf8))
        #expect(samples["a_thing{name=\"quote \" stroke \\ line \n end\"}"] == 1)
        #expect(samples["a_thing{name=\"b\"}"] == 9e99)
        #expect(samples["a_thing{name=\"c\"}"] == 0.1 && samples["a_thing{name=\"d\"}"] == 1e20)
    }
}
