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
    ]
}
