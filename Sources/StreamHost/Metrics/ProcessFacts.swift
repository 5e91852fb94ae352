internal import Foundation

/// Metrics of this process from proc(5), with the names used by Prometheus client libraries.
enum ProcessFacts {
    static func write(to text: inout PrometheusText) {
        if let fields = statistics() {
            let tick = Double(sysconf(Int32(_SC_CLK_TCK)))
            // Fields 14 and 15 in proc(5), counted from 1; field 2 is the name, which may contain spaces.
            if fields.count > 21, let user = Double(fields[11]), let system = Double(fields[12]) {
                text.single(
                    "process_cpu_seconds_total", .counter, "User and system CPU time in seconds.",
                    (user + system) / tick)
            }
            if fields.count > 21, let threads = Double(fields[17]) {
                text.single("process_threads", .gauge, "Number of threads.", threads)
            }
            if fields.count > 21, let ticks = Double(fields[19]), let booted = bootTime {
                text.single(
                    "process_start_time_seconds", .gauge, "Start time of the process, in seconds since 1970.",
                    booted + ticks / tick)
            }
        }
        let pages = contents("/proc/self/statm").split(separator: " ").compactMap { Double($0) }
        if pages.count > 1 {
            let size = Double(sysconf(Int32(_SC_PAGESIZE)))
            text.single(
                "process_virtual_memory_bytes", .gauge, "Virtual memory size in bytes.", pages[0] * size
            )
            text.single(
                "process_resident_memory_bytes", .gauge, "Resident memory size in bytes.",
                pages[1] * size)
        }
        if let count = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
            // One of them is the directory being read.
            text.single(
                "process_open_fds", .gauge, "Number of open file descriptors.", Double(max(0, count - 1)))
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            text.single(
                "process_max_fds", .gauge, "Maximum number of open file descriptors.", Double(limit.rlim_cur))
        }
    }

    /// Returns the fields of `/proc/self/stat` after the name.
    private static func statistics() -> [Substring]? {
        let text = contents("/proc/self/stat")
        guard let end = text.lastIndex(of: ")") else { return nil }
        return text[text.index(after: end)...].split(separator: " ")
    }

    /// Boot time of the system, in seconds since 1970.
    private static let bootTime: Double? = contents("/proc/stat").split(separator: "\n")
        .first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst(6)) }

    private static func contents(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
