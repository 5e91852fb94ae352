internal import Foundation
internal import Glibc
internal import Synchronization

/// A PostgreSQL server with data of its own, on a socket in a temporary directory. Stopped when released.
public final class PostgreSQLServer: Sendable {
    /// One for all tests that only need databases of their own.
    public static let shared = Result { try PostgreSQLServer() }

    /// The role of the tests, which may do everything.
    private static let role = "tester"

    private let directory: TemporaryDirectory
    private let options: [String]
    private let process: Mutex<ChildProcess>
    private let databases = Mutex<Set<String>>([])

    /// Starts a server.
    /// - Parameters:
    ///   - options: settings as `name=value`.
    ///   - source: the server that this one copies and follows; nil for one with empty data.
    /// - Throws: if the server is not installed or does not start.
    public init(options: [String] = [], following source: PostgreSQLServer? = nil) throws {
        directory = try TemporaryDirectory()
        self.options = options
        let data = directory.file("data")
        if geteuid() == 0 { _ = try ProcessRun.run("chown", ["postgres:", directory.path]) }
        if let source {
            _ = try Self.run(
                "pg_basebackup",
                [
                    "-D", data, "-R", "-X", "stream", "-c", "fast", "--no-sync", "-d",
                    source.address("postgres"),
                ])
        } else {
            _ = try Self.run(
                "initdb", ["-D", data, "-A", "trust", "-U", Self.role, "--no-sync", "-E", "UTF8"])
        }
        process = Mutex(try Self.start(data, directory.path, options))
        try waitUntilReady()
    }

    /// Arguments that run a program of PostgreSQL, which refuses to run as root.
    private static func command(_ program: String, _ arguments: [String]) throws -> [String] {
        let versions = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")
        guard let newest = versions.compactMap({ Int($0) }).max() else {
            throw ProcessRun.Failure(description: "PostgreSQL is not installed: run scripts/bootstrap --test")
        }
        let user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]
        return (geteuid() == 0 ? user : []) + ["/usr/lib/postgresql/\(newest)/bin/\(program)"] + arguments
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> ProcessRun {
        let command = try command(program, arguments)
        return try ProcessRun.run(command[0], Array(command.dropFirst()))
    }

    private static func start(_ data: String, _ folder: String, _ options: [String]) throws -> ChildProcess {
        let settings =
            [
                "listen_addresses=", "unix_socket_directories=\(folder)", "fsync=off", "shared_buffers=16MB",
                "max_connections=200", "max_wal_senders=4", "wal_level=replica", "hot_standby=on",
            ] + options
        let server = try command("postgres", ["-D", data] + settings.flatMap { ["-c", $0] })
        // Stops the server when the input is closed, even if this process is killed.
        let script = #""$@" & server=$!; cat > /dev/null; kill -QUIT "$server" 2> /dev/null; wait "$server""#
        return try ChildProcess(["sh", "-c", script, "sh"] + server, input: .pipe)
    }

    private func waitUntilReady() throws {
        let deadline = Date(timeIntervalSinceNow: 60)
        while true {
            do {
                _ = try query("SELECT 1")
                return
            } catch {
                guard Date() < deadline else { throw error }
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
    }

    /// The address of a database, for libpq.
    public func address(_ database: String) -> String { Self.address([self], database) }

    /// The address of a database on one of several servers.
    public static func address(_ servers: [PostgreSQLServer], _ database: String) -> String {
        let hosts = servers.map { $0.directory.path.replacing("/", with: "%2F") }
        return "postgres://\(role)@\(hosts.joined(separator: ","))/\(database)"
    }

    /// Creates a database unless this object has created it before.
    /// - Returns: its address.
    public func makeDatabase(_ name: String) throws -> String {
        if databases.withLock({ $0.insert(name).inserted }) { _ = try query("CREATE DATABASE \"\(name)\"") }
        return address(name)
    }

    /// Runs statements with `psql`.
    /// - Returns: the rows, with `|` between values.
    @discardableResult
    public func query(_ sql: String, in database: String = "postgres") throws -> String {
        try Self.run(
            "psql", ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", address(database), "-c", sql]
        ).text.trimmingCharacters(in: .newlines)
    }

    /// Process IDs of the server and of its children.
    private var processes: [Int32] {
        let text = (try? String(contentsOfFile: directory.file("data/postmaster.pid"), encoding: .utf8)) ?? ""
        guard let main = text.split(separator: "\n").first.flatMap({ Int32($0) }) else { return [] }
        let children = try? String(contentsOfFile: "/proc/\(main)/task/\(main)/children", encoding: .utf8)
        return (children ?? "").split(separator: " ").compactMap { Int32($0) } + [main]
    }

    /// Kills all processes of the server, as a failure of the machine does.
    public func kill() {
        // Else it may start another child in between, which would keep the data in use.
        if let main = processes.last { _ = Glibc.kill(main, SIGSTOP) }
        for id in processes { _ = Glibc.kill(id, SIGKILL) }
    }

    /// Stops all processes of the server, or lets them go on: meanwhile it answers nothing.
    public func setStopped(_ isStopped: Bool) {
        for id in processes { _ = Glibc.kill(id, isStopped ? SIGSTOP : SIGCONT) }
    }

    /// Starts the server again after it was killed.
    public func restart() throws {
        let data = directory.file("data")
        try process.withLock { process in
            // A new server takes the killed one for a running one until its shell has waited for it.
            try process.input?.close()
            process.wait()
            process = try Self.start(data, directory.path, options)
        }
        try waitUntilReady()
    }

    /// Makes a server that follows another one accept writes.
    public func promote() throws {
        _ = try Self.run("pg_ctl", ["promote", "-w", "-D", directory.file("data")])
    }
}
