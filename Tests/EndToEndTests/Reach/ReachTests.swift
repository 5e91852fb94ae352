import Foundation
import TestSupport
import Testing

/// Host and clients as separate processes, with a real network between them.
///
/// The cases are in Python, so that the clients share no code with the host; each asserts its own expectations.
@Suite("Reach", .timeLimit(.minutes(30)))
struct ReachTests {
    private func run(_ script: String, _ name: String) async throws {
        let clients = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Clients").standardizedFileURL.path(percentEncoded: false)
        let programs = URL(filePath: BuiltProgram.path("stream-host")).deletingLastPathComponent()
            .path(percentEncoded: false)
        try await PythonClient.run("\(clients)/\(script)", [programs, name])
    }

    @Test(
        "User scenarios with host and client",
        arguments: [
            "happy_path", "seek", "network_cut", "network_silent", "host_killed", "tracks_added", "wrong_key",
            "malformed", "no_cloudflared",
        ])
    func scenario(name: String) async throws { try await run("scenarios.py", name) }

    @Test(
        "The tunnel, with a stand-in for cloudflared",
        arguments: ["quick", "restarts", "killed", "named"])
    func tunnel(name: String) async throws { try await run("tunnel_cases.py", name) }

    /// Whether a daemon can run in a network of its own. avahi-daemon gives its folder to a user of its own, which only root can.
    private static let canIsolate: Bool = {
        let script = "mount -t tmpfs none /run && ip link set lo up && chown 1 /run"
        let run = try? ProcessRun.run(
            "unshare", ["--mount", "--net", "sh", "-c", script], mustSucceed: false)
        return run?.status == 0
    }()

    @Test(
        "Network announcement by a real avahi-daemon",
        .enabled(if: canIsolate, "only root may start avahi-daemon in a network of its own"),
        arguments: ["announced", "collisions", "restarts"])
    func discovery(name: String) async throws { try await run("discovery_cases.py", name) }

    @Test("A crowd on the remote channel, half of it slow, some of it dying: no other client misses anything")
    func crowd() async throws { try await run("crowd_cases.py", "crowd") }

    @Test("The player's full screen in a real terminal", arguments: ["keys", "interrupted", "failed"])
    func screen(name: String) async throws { try await run("screen_cases.py", name) }

    @Test("status and qr", arguments: ["status", "encrypted", "qr"])
    func status(name: String) async throws { try await run("status_cases.py", name) }
}
