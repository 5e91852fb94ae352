/// The state of a tunnel as read from cloudflared's log, line by line.
///
/// The lines are those of cloudflared 2022 to 2026, as it writes them without a terminal:
///
/// ```
/// 2023-01-16T08:32:58Z INF |  https://x-y-z.trycloudflare.com                            |
/// 2026-09-30T07:31:18Z INF Registered tunnel connection connIndex=0 connection=… location=del04 protocol=quic
/// 2026-05-13T00:19:33Z INF Updated to new configuration config="{\"ingress\":[{\"hostname\":\"a.example\",…
/// ```
struct TunnelOutput: Sendable, Equatable {
    /// The longest line that is parsed, in bytes.
    static let longestLine = 64 << 10

    /// The host's port, which identifies its name among those that a tunnel serves.
    let port: String
    /// The tunnel's public address.
    private(set) var url: String?
    /// The number of open connections to Cloudflare. A named tunnel has several.
    private(set) var connections: Set<Int> = []
    /// The last error since there was a connection.
    private(set) var complaint: String?

    init(origin: String, url: String?) {
        port = String(origin.split(separator: ":").last ?? "")
        self.url = url
    }

    /// Parses a line.
    mutating func read(_ line: String) {
        if line.contains("Registered tunnel connection") || line.contains("Connection registered") {
            connections.insert(Self.index(in: line) ?? 0)
            complaint = nil
        } else if line.contains("Unregistered tunnel connection") || line.contains("Connection terminated")
            || line.contains("Lost connection") || line.contains("Serve tunnel error")
            || line.contains("Retrying connection")
        {
            connections.remove(Self.index(in: line) ?? 0)
        }
        if let match = line.firstMatch(of: #/https:\/\/([a-z0-9-]+)\.trycloudflare\.com/#),
            match.output.1 != "api"
        {
            url = String(match.output.0)
        }
        if line.contains("Updated to new configuration"), let name = hostName(in: line) {
            url = "https://\(name)"
        }
        // The empty configuration is ours.
        if line.contains("/dev/null") {
            return
        } else if let start = line.firstRange(of: " ERR ") ?? line.firstRange(of: " FTL ") {
            complaint = String(line[start.upperBound...].prefix(300))
        } else if line.hasPrefix("error") || line.contains("failed to") {
            // Errors that end the program come without time and level.
            complaint = String(line.prefix(300))
        }
    }

    private static func index(in line: String) -> Int? {
        line.firstMatch(of: #/connIndex=(\d+)/#).flatMap { Int($0.output.1) }
    }

    /// The name whose requests go to our port. The line holds the configuration as quoted JSON.
    private func hostName(in line: String) -> String? {
        let rule =
            #/"hostname":"(?<name>[A-Za-z0-9.-]+)"[^{}]*(?:\{[^{}]*\}[^{}]*)?"service":"https?://[^"]*:(?<port>\d+)/#
        return line.replacing("\\", with: "").matches(of: rule).first { $0.output.port == port }
            .map { String($0.output.name) }
    }
}
