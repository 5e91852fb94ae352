internal import CPostgreSQL
internal import Foundation
internal import Glibc

/// One connection to a PostgreSQL database.
///
/// Not thread-safe. Calls block, each at most for a time limit, after which the connection is unusable. Values are texts in
/// PostgreSQL's own form, in both directions; nil is NULL. The connection is closed with its last reference.
package final class PostgreSQLConnection {
    /// Time limits in seconds.
    package struct Limits: Sendable {
        /// To connect to one server.
        package var connect: Int
        /// For the answer to a statement.
        package var statement: Double
        /// For the next statement of a transaction: then the server rolls back, so that a program that hangs does not block others.
        package var transaction: Double
        /// To find out whether a commit was made whose answer was lost.
        package var commit: Double

        /// Memberwise initializer.
        package init(
            connect: Int = 5, statement: Double = 30, transaction: Double = 20, commit: Double = 20
        ) {
            self.connect = connect
            self.statement = statement
            self.transaction = transaction
            self.commit = commit
        }
    }

    /// Notes whether the server has sent a warning.
    private final class Notices {
        var warning: String?
    }

    private let connection: OpaquePointer
    /// The time limits.
    package let limits: Limits
    private let notices = Notices()
    private var isLost = false

    /// Connects to the database.
    /// - Parameter name: name of the program, which the server shows in its list of connections.
    /// - Throws: `unreachable` if no server can be reached, none accepts writes, or the credentials are wrong.
    package init(_ address: PostgreSQLAddress, name: String, limits: Limits = Limits())
        throws(PostgreSQLError)
    {
        self.limits = limits
        // The address comes last: its options replace these.
        let options = [
            ("connect_timeout", "\(limits.connect)"), ("target_session_attrs", "read-write"),
            ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "10000"), ("fallback_application_name", name), ("client_encoding", "UTF8"),
            ("dbname", address.text),
        ]
        let names = options.map { strdup($0.0) }
        let values = options.map { strdup($0.1) }
        defer { for text in names + values { free(text) } }
        let opened = PQconnectdbParams(
            names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
        guard let opened else { throw PostgreSQLError(.unreachable, "out of memory") }
        connection = opened
        guard PQstatus(opened) == CONNECTION_OK else {
            throw PostgreSQLError(.unreachable, String(cString: PQerrorMessage(opened)))
        }
        PQsetNoticeReceiver(
            opened,
            { context, result in
                guard let context, let severity = PQresultErrorField(result, Int32(UInt8(ascii: "V"))),
                    strcmp(severity, "WARNING") == 0
                else { return }
                Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().warning =
                    PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) } ?? ""
            }, Unmanaged.passUnretained(notices).toOpaque())
        let milliseconds = Int((limits.transaction * 1000).rounded())
        try execute("SET idle_in_transaction_session_timeout = \(milliseconds)")
        try execute("SET lock_timeout = \(Int((limits.statement * 1000).rounded()))")
    }

    deinit { PQfinish(connection) }

    /// Whether statements can be run: false once the connection is lost.
    package var isUsable: Bool { !isLost && PQstatus(connection) == CONNECTION_OK }

    /// Runs one statement and returns its rows.
    /// - Parameters:
    ///   - sql: one statement with `$1`, `$2`, … for the arguments.
    ///   - arguments: the values in order.
    /// - Throws: `lost`, after which the connection is unusable; `refused`.
    @discardableResult
    package func execute(_ sql: String, _ arguments: [String?] = []) throws(PostgreSQLError) -> [[String?]] {
        var rows: [[String?]] = []
        do {
            try forEach(sql, arguments) { rows.append($0) }
        } catch let error as PostgreSQLError {
            throw error
        } catch {
            throw PostgreSQLError(.refused, "\(error)")
        }
        return rows
    }

    /// Runs one statement and calls a closure with each row as it arrives, so that memory use does not depend on their number.
    /// - Throws: errors of the closure, after which the other rows are read and ignored; `lost`; `refused`.
    package func forEach(
        _ sql: String, _ arguments: [String?] = [], _ body: ([String?]) throws -> Void
    ) throws {
        guard isUsable else { throw lost() }
        notices.warning = nil
        let texts = arguments.map { $0.map { strdup($0) } ?? nil }
        defer { for text in texts { free(text) } }
        let sent = PQsendQueryParams(
            connection, sql, Int32(texts.count), nil, texts.map { UnsafePointer($0) }, nil, nil, 0)
        guard sent == 1 else { throw lost() }
        PQsetSingleRowMode(connection)
        var failure: (any Error)?
        while let result = try nextResult() {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_SINGLE_TUPLE:
                guard failure == nil else { continue }
                do { try body(Self.row(result)) } catch { failure = error }
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
            default:
                failure = failure ?? self.failure(result)
            }
        }
        if let failure { throw failure }
    }

    /// Runs a statement, as ``execute(_:_:)`` does, and also throws if the server has warned: a commit that was not copied to the
    /// other server, although that was required, is only a warning.
    package func executeWithoutWarning(_ sql: String) throws(PostgreSQLError) {
        try execute(sql)
        if let warning = notices.warning { throw PostgreSQLError(.unsafe, warning) }
    }

    /// Waits until a notification of a channel that the connection listens to arrives, at most for a time.
    /// - Returns: whether there was one.
    /// - Throws: `lost`.
    package func waitForNotification(seconds: Double) throws(PostgreSQLError) -> Bool {
        let deadline = Self.now + seconds
        while true {
            guard isUsable, PQconsumeInput(connection) == 1 else { throw lost() }
            var found = false
            while let notification = PQnotifies(connection) {
                PQfreemem(notification)
                found = true
            }
            if found { return true }
            guard try wait(for: POLLIN, until: deadline) else { return false }
        }
    }

    // MARK: - Results

    private static var now: Double { ProcessInfo.processInfo.systemUptime }

    /// Returns the next result of the running statement; nil after the last.
    private func nextResult() throws(PostgreSQLError) -> OpaquePointer? {
        let deadline = Self.now + limits.statement
        while PQflush(connection) == 1 {
            guard try wait(for: POLLOUT, until: deadline) else { throw lost("the server does not read") }
        }
        while PQisBusy(connection) == 1 {
            guard try wait(for: POLLIN, until: deadline) else {
                throw lost("the server has not answered for \(Int(limits.statement)) seconds")
            }
            guard PQconsumeInput(connection) == 1 else { throw lost() }
        }
        return PQgetResult(connection)
    }

    /// Waits for the socket.
    /// - Returns: whether it is ready before the deadline.
    private func wait(for events: Int32, until deadline: Double) throws(PostgreSQLError) -> Bool {
        let socket = PQsocket(connection)
        guard socket >= 0 else { throw lost() }
        while true {
            let milliseconds = max(0, ((deadline - Self.now) * 1000).rounded(.up))
            var entry = pollfd(fd: socket, events: Int16(events), revents: 0)
            let ready = poll(&entry, 1, Int32(min(milliseconds, 3_600_000)))
            if ready > 0 { return true }
            if ready < 0, errno != EINTR { throw lost() }
            if ready == 0, Self.now >= deadline { return false }
        }
    }

    private func lost(_ message: String? = nil) -> PostgreSQLError {
        let known = message ?? String(cString: PQerrorMessage(connection))
        isLost = true
        return PostgreSQLError(.lost, known.isEmpty ? "the connection was lost" : known)
    }

    private func failure(_ result: OpaquePointer) -> PostgreSQLError {
        let message = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
        let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
        guard let message, PQstatus(connection) == CONNECTION_OK else {
            return lost(message ?? String(cString: PQresultErrorMessage(result)))
        }
        return PostgreSQLError(.refused, sqlState: state, message)
    }

    private static func row(_ result: OpaquePointer) -> [String?] {
        (0..<PQnfields(result)).map { column in
            guard PQgetisnull(result, 0, column) == 0, let bytes = PQgetvalue(result, 0, column) else {
                return nil
            }
            let length = Int(PQgetlength(result, 0, column))
            return bytes.withMemoryRebound(to: UInt8.self, capacity: length) {
                String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self)
            }
        }
    }
}
