import CommandLineProgram
import MusicShared

/// The output of `stream-host status`.
struct HostStatus: Encodable {
    let host: RunningHost
    let name: String
    let health: HealthReport
    let clients: [ClientReport]
    /// The tracks that clients are playing, by ID.
    let tracks: [Int: TrackItem]

    /// Human-readable output.
    var lines: [String] {
        var lines = [
            "host       \(Terminal.harmless(name)), \(health.version ?? ""), process \(host.processID)"
                + (health.uptimeSeconds.map { ", for \(Self.text(ofSeconds: $0))" } ?? ""),
            "address    \(host.networkAddress ?? host.localAddress)"
                + (host.networkAddress == nil ? " (this machine only)" : "")
                + (host.requiresNoKey ? ", no key required" : ""),
            "tunnel     \(health.tunnel.map(Self.text(of:)) ?? "none")",
        ]
        if let tracks = health.trackCount { lines.append("library    \(tracks) tracks") }
        for folder in health.unavailableFolders ?? [] {
            lines.append("missing    \(Terminal.harmless(folder.summary))")
        }
        if let queue = health.queueLength {
            lines.append("queue      \(queue) files waiting for analysis")
        }
        if let following = health.following {
            let state =
                following.isPrimaryReachable
                ? "\(following.revisionsBehind) changes behind" : "which cannot be reached"
            lines.append("follows    \(Terminal.harmless(following.primary)), \(state)")
        }
        if let listening = health.sharedListening {
            lines.append(
                "listening  \(Terminal.harmless(listening.place))"
                    + (listening.lastError.map { ": \(Terminal.harmless($0))" } ?? ""))
        }
        lines.append("clients    \(clients.isEmpty ? "none" : "\(clients.count)")")
        return lines
            + clients.map { client in
                "  \(client.id)  \(Terminal.harmless(client.appVersion)) at \(client.address), "
                    + "for \(Self.text(ofSeconds: client.connectedSeconds)): \(text(of: client.playback))"
            }
    }

    private func text(of playback: PlaybackState) -> String {
        guard let id = playback.trackID else { return "nothing playing" }
        let track = tracks[id]
        let name = [track?.artist, track?.title].compactMap { $0 }.joined(separator: " – ")
        return (playback.isPlaying ? "playing " : "paused at ")
            + Terminal.harmless(name.isEmpty ? "track \(id)" : name)
            + ", at \(Self.text(ofSeconds: playback.position))"
    }

    private static func text(of tunnel: TunnelReport) -> String {
        let notes =
            [tunnel.mode.rawValue, tunnel.state.rawValue]
            + (tunnel.restartCount > 0 ? ["restarted \(tunnel.restartCount) times"] : [])
        return (tunnel.url ?? "no address yet") + " (\(notes.joined(separator: ", ")))"
            + (tunnel.message.map { ": \(Terminal.harmless($0))" } ?? "")
    }

    /// Formats a duration, for example `1:02:03` or `2:03`.
    private static func text(ofSeconds seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e9 else { return "a very long time" }
        let whole = Int(seconds)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return whole < 3600
            ? "\(whole / 60):\(two(whole % 60))"
            : "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
    }

    private enum CodingKeys: String, CodingKey {
        case host, name, health, clients, tracks
    }
}
