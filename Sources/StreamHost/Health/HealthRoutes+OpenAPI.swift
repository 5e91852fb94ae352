internal import HTTPServer
internal import MusicShared

extension HealthRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.health, id: "health", summary: "Tells whether the host is up",
            details: "Without the key the status alone; with it what the host holds and does.",
            tag: "Host", access: .open, answer: "It is.", contents: [.json(.named("Health"))])
    ]

    static let schemas = [
        "Health": JSONSchema.object([
            .always("status", .oneOf(["ok"])),
            .maybe("version", .text("Name and version of the program.")),
            .maybe("uptime_seconds", .seconds("How long the host has been up")),
            .maybe("track_count", .integer("Tracks that can be played.")),
            .maybe("profile_count", .integer("Pieces of audio that have a profile.")),
            .maybe("vis_cache_size", .integer("Pieces of audio that have visualizer frames.")),
            .maybe("vis_cache_bytes", .integer("Bytes that the visualizer frames take on disk.")),
            .maybe("connected_clients", .integer("Clients on the remote channel.")),
            .maybe("queue_length", .integer("Files that wait for their analysis by the host.")),
            .maybe("tunnel", .named("Tunnel")),
            .maybe("analyses", .named("AnalysisCounts")),
            .maybe("navidrome", .named("NavidromeState")),
        ]),
        "Tunnel": .object([
            .always(
                "mode",
                .oneOf(
                    TunnelReport.Mode.allCases.map(\.rawValue),
                    "Whose name it has: a random one, or the owner's.")),
            .always("state", .oneOf(TunnelReport.State.allCases.map(\.rawValue), "How it stands.")),
            .maybe(
                "url",
                .text(
                    "Where it leads from; left out until it is known.", example: "https://music.example.com")),
            .always("restart_count", .integer("How often its program was started again.")),
            .maybe("message", .text("What its program complained of.")),
        ]),
        "AnalysisCounts": .object([
            .always("done_count", .integer("Files that were analysed, or known already, since the start.")),
            .always("failed_count", .integer("Files that could not be analysed, since the start.")),
        ]),
        "NavidromeState": .object([
            .always("state", .oneOf(["idle", "waiting", "scanning"])),
            .always("scan_count", .integer("Scans that Navidrome was asked for and began.")),
            .always("failure_count", .integer("Attempts that failed.")),
            .maybe("last_scan", .integer("When the last scan began, in seconds since 1970.")),
            .maybe("last_error", .text("What went wrong the last time.")),
        ]),
    ]
}
