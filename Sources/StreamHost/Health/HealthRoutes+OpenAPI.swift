internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension HealthRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.health, id: "health", summary: "Get the host's status",
            details: "Returns only `status` without the API key, and all details with it.",
            tag: "Host", access: .open, answer: "The host is up.", contents: [.json(.named("Health"))])
    ]

    static let schemas = [
        "Health": JSONSchema.object([
            .always("status", .oneOf(["ok"])),
            .maybe("version", .text("Name and version of the program.")),
            .maybe("uptime_seconds", .seconds("Uptime of the host")),
            .maybe("track_count", .integer("Number of playable tracks.")),
            .maybe("profile_count", .integer("Number of stored audio profiles.")),
            .maybe("vis_cache_size", .integer("Number of stored sets of spectrum frames.")),
            .maybe("vis_cache_bytes", .integer("Disk space used by spectrum frames, in bytes.")),
            .maybe("connected_clients", .integer("Number of clients on the remote and push channels.")),
            .maybe("queue_length", .integer("Number of files queued for analysis.")),
            .maybe("tunnel", .named("Tunnel")),
            .maybe("analyses", .named("AnalysisCounts")),
            .maybe(
                "unavailable_folders",
                .array(of: .named("UnavailableFolder"), "Folders that are currently unavailable.")),
            .maybe("navidrome", .named("NavidromeState")),
        ]),
        "Tunnel": .object([
            .always(
                "mode",
                .oneOf(
                    TunnelReport.Mode.allCases.map(\.rawValue),
                    "`quick`: random host name; `named`: the owner's host name.")),
            .always("state", .oneOf(TunnelReport.State.allCases.map(\.rawValue), "State of the tunnel.")),
            .maybe(
                "url",
                .text(
                    "Public URL; omitted until it is known.", example: "https://music.example.com")),
            .always("restart_count", .integer("How often the tunnel program was restarted.")),
            .maybe("message", .text("Last error message of the tunnel program.")),
        ]),
        "AnalysisCounts": .object([
            .always(
                "done_count", .integer("Files that were analysed or already known, since the host started.")),
            .always("failed_count", .integer("Files that could not be analysed, since the host started.")),
        ]),
        "NavidromeState": .object([
            .always("state", .oneOf(["idle", "waiting", "scanning"])),
            .always("scan_count", .integer("Number of scans started.")),
            .always("failure_count", .integer("Number of failed attempts.")),
            .maybe("last_scan", .integer("Start time of the last scan, in seconds since 1970.")),
            .maybe("last_error", .text("Error message of the last failure.")),
        ]),
    ]
}
