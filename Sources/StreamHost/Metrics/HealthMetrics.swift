internal import MusicShared

/// Writes the health report as metrics.
enum HealthMetrics {
    static func write(_ report: HealthReport, to text: inout PrometheusText) {
        text.begin("stream_host_build_info", .gauge, "Always 1; the label holds the program's version.")
        text.sample(1, ["version": report.version ?? ""])
        func gauge(_ name: String, _ help: String, _ value: Int?) {
            if let value { text.single("stream_host_\(name)", .gauge, help, Double(value)) }
        }
        gauge("tracks", "Number of playable tracks.", report.trackCount)
        gauge("profiles", "Number of stored audio profiles.", report.profileCount)
        gauge("frame_sets", "Number of stored sets of spectrum frames.", report.spectrumCacheSize)
        gauge("frame_bytes", "Disk space used by spectrum frames, in bytes.", report.spectrumCacheBytes)
        gauge("remote_clients", "Number of clients on the remote and push channels.", report.connectedClients)
        gauge("queue_length", "Number of files queued for analysis.", report.queueLength)
        if let analyses = report.analyses {
            text.begin(
                "stream_host_analyses_total", .counter, "Files that the host has processed, by outcome.")
            text.sample(Double(analyses.doneCount), ["outcome": "done"])
            text.sample(Double(analyses.failedCount), ["outcome": "failed"])
        }
        if let navidrome = report.navidrome {
            text.begin(
                "stream_host_navidrome_scans_total", .counter,
                "Attempts to start a Navidrome scan, by outcome.")
            text.sample(Double(navidrome.scanCount), ["outcome": "started"])
            text.sample(Double(navidrome.failureCount), ["outcome": "failed"])
            text.single(
                "stream_host_navidrome_failing", .gauge, "1 if the last attempt failed.",
                navidrome.lastError == nil ? 0 : 1)
        }
    }
}
