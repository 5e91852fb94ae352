internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension HealthRoutes {
    static let tag = "Host"

    static let operations = [
        operation(
            .get, Routes.health, "health", "Get the host's status",
            details: "Returns only `status` without the API key, and all details with it.",
            access: .open, answer: .json("Health", "The host is up."))
    ]

    static let schemas: [String: JSONSchema] = [
        "Health": [
            "status": .oneOf(["ok"]),
            "version": .text("Name and version of the program.").optional,
            "uptime_seconds": .seconds("Uptime of the host").optional,
            "track_count": .integer("Number of playable tracks.").optional,
            "profile_count": .integer("Number of stored audio profiles.").optional,
            "vis_cache_size": .integer("Number of stored sets of spectrum frames.").optional,
            "vis_cache_bytes": .integer("Disk space used by spectrum frames, in bytes.").optional,
            "connected_clients": .integer("Number of clients on the remote and push channels.").optional,
            "queue_length": .integer("Number of files queued for analysis.").optional,
            "tunnel": .named("Tunnel").optional,
            "analyses": .named("AnalysisCounts").optional,
            "unavailable_folders": .array(
                of: .named("UnavailableFolder"), "Folders that are currently unavailable."
            ).optional,
            "navidrome": .named("NavidromeState").optional,
            "following": .named("Following").optional,
            "shared_listening": .named("SharedListening").optional,
        ],
        "SharedListening": [
            "place": .text(
                "The database in which hosts share the listening data.",
                example: "postgres://db.example.com/music"),
            "is_reachable": .flag("Whether the database answered the last request."),
            "last_error": .text("Why the database could not be used the last time.").optional,
        ],
        "Following": [
            "primary": .text("Address of the primary.", example: "https://music.example.com"),
            "is_primary_reachable": .flag("Whether the primary answered the last request."),
            "revisions_behind": .integer("Changes of the library that have not been copied yet."),
            "seconds_behind": .number("Seconds since the copy was last equal to the primary's library."),
            "last_error": .text("Why the last attempt to copy failed.").optional,
            "cached_audio_bytes": .integer("Disk space used by copies of music files, in bytes.").optional,
        ],
        "Tunnel": [
            "mode": .oneOf(
                TunnelReport.Mode.allCases.map(\.rawValue),
                "`quick`: random host name; `named`: the owner's host name."),
            "state": .oneOf(TunnelReport.State.self, "State of the tunnel."),
            "url": .text(
                "Public URL; omitted until it is known.", example: "https://music.example.com"
            ).optional,
            "restart_count": .integer("How often the tunnel program was restarted."),
            "message": .text("Last error message of the tunnel program.").optional,
        ],
        "AnalysisCounts": [
            "done_count": .integer("Files that were analysed or already known, since the host started."),
            "failed_count": .integer("Files that could not be analysed, since the host started."),
        ],
        "NavidromeState": [
            "state": .oneOf(["idle", "waiting", "scanning"]),
            "scan_count": .integer("Number of scans started."),
            "failure_count": .integer("Number of failed attempts."),
            "last_scan": .integer("Start time of the last scan, in seconds since 1970.").optional,
            "last_error": .text("Error message of the last failure.").optional,
        ],
    ]
}
