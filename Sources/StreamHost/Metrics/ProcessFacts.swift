internal import Foundation

/// What the system says of this process (proc(5)). The names are those that Prometheus' own clients use.
enum ProcessFacts {
    static func write(to text: inout PrometheusText) {
        if let fields = statistics() {
            let tick = Double(sysconf(Int32(_SC_CLK_TCK)))
            // Fields 14 and 15 of the manual, counted from 1; the name, which may hold spaces, is 2.
            if fields.count > 21, let user = Double(fields[11]), let system = Double(fields[12]) {
                text.single(
                    "process_cpu_seconds_total", .counter, "Processor time of user and system in seconds.",
                    (user + system) / tick)
            }
            if fields.count > 21, let threads = Double(fields[17]) {
                text.single("process_threads", .gauge, "Threads.", threads)
            }
            if fields.count > 21, let ticks = Double(fields[19]), let booted = bootTime {
                text.single(
                    "process_start_time_seconds", .gauge, "When the process began, in seconds since 1970.",
                    booted + ticks / tick)
            }
        }
        let pages = contents("/proc/self/statm").split(separator: " ").compactMap { Double($0) }
        if pages.count > 1 {
            let size = Double(sysconf(Int32(_SC_PAGESIZE)))
            text.single(
                "process_virtual_memory_bytes", .gauge, "Size of the address space in bytes.", pages[0] * size
            )
            text.single(
                "process_resident_memory_bytes", .gauge, "Memory that the process occupies in bytes.",
                pages[1] * size)
        }
        if let count = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
            // One is the folder's own.
            text.single("process_open_fds", .gauge, "Open files and sockets.", Double(max(0, count - 1)))
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            text.single(
                "process_max_fds", .gauge, "Files and sockets that may be open.", Double(limit.rlim_cur))
        }
    }

    /// The fields of `/proc/self/stat` after the name.
    private static func statistics() -> [Substring]? {
        let text = contents("/proc/self/stat")
        guard let end = text.lastIndex(of: ")") else { return nil }
        return text[text.index(after: end)...].split(separator: " ")
    }

    /// When the system was started, in seconds since 1970.
    private static let bootTime: Double? = contents("/proc/stat").split(separator: "\n")
        .first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst(6)) }

    private static func contents(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
