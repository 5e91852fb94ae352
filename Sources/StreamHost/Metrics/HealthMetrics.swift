internal import MusicShared

/// What the host holds and does, as measurements.
enum HealthMetrics {
    static func write(_ report: HealthReport, to text: inout PrometheusText) {
        text.begin("stream_host_build_info", .gauge, "Always 1; the label tells the program's version.")
        text.sample(1, ["version": report.version ?? ""])
        func gauge(_ name: String, _ help: String, _ value: Int?) {
            if let value { text.single("stream_host_\(name)", .gauge, help, Double(value)) }
        }
        gauge("tracks", "Tracks that can be played.", report.trackCount)
        gauge("profiles", "Pieces of audio that have a profile.", report.profileCount)
        gauge("frame_sets", "Pieces of audio that have visualizer frames.", report.frameCacheSize)
        gauge("frame_bytes", "Bytes that the visualizer frames take on disk.", report.frameCacheBytes)
        gauge("remote_clients", "Clients on the remote channel.", report.connectedClients)
        gauge("queue_length", "Files that wait for their analysis.", report.queueLength)
        if let analyses = report.analyses {
            text.begin(
                "stream_host_analyses_total", .counter, "Files that the host has dealt with, by outcome.")
            text.sample(Double(analyses.doneCount), ["outcome": "done"])
            text.sample(Double(analyses.failedCount), ["outcome": "failed"])
        }
        if let navidrome = report.navidrome {
            text.begin(
                "stream_host_navidrome_scans_total", .counter, "Attempts to have Navidrome scan, by outcome.")
            text.sample(Double(navidrome.scanCount), ["outcome": "started"])
            text.sample(Double(navidrome.failureCount), ["outcome": "failed"])
            text.single(
                "stream_host_navidrome_failing", .gauge, "1 where the last attempt failed.",
                navidrome.lastError == nil ? 0 : 1)
        }
    }
}
