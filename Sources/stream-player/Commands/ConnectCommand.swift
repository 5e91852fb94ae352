import Catalogue
import CommandLineProgram
import Foundation
import MusicShared
import StreamClient
import StreamClientHost
import StreamClientLinux

/// The command `stream-player connect`: adds a host with its address and API key or account, and downloads a copy of its library.
struct ConnectCommand {
    private var folder = ClientFolder()
    private var key = ProcessInfo.processInfo.environment["STREAM_PLAYER_KEY"]
    /// The account to sign in to; nil to use the API key.
    private var user: String?
    private var seconds = 2.0
    private var forgotten: String?
    private var isWatching = false
    private let address: HostAddress?

    /// - Throws: `UsageError`.
    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var (folder, key, seconds, forgotten, isWatching) = (folder, key, seconds, forgotten, isWatching)
        var user: String?
        try arguments.takeOptions(
            flags: ["--watch"], valued: ["--folder", "--key-file", "--user", "--seconds", "--forget"]
        ) { name, value in
            switch name {
            case "--folder": folder = ClientFolder(value)
            case "--key-file": key = try KeyFile.key(in: value)
            case "--user": user = value
            case "--forget": forgotten = value
            case "--watch": isWatching = true
            default: seconds = try OptionValue.number(value, in: 0.1...60, for: name)
            }
        }
        let words = try arguments.operands(0...1, named: "the address of one host")
        address = try words.first.map { word in
            guard let address = HostAddress(word) else {
                throw UsageError(message: "'\(word)' is not a host address")
            }
            return address
        }
        (self.folder, self.key, self.seconds, self.forgotten) = (folder, key, seconds, forgotten)
        self.isWatching = isWatching
        self.user = user
    }

    func run() async throws -> Int32 {
        if let forgotten { return try forget(forgotten) }
        if isWatching { return await watch() }
        guard let address else {
            guard user == nil else { throw UsageError(message: "--user needs the address of the host") }
            return try await list()
        }
        let key = try await signIn(at: address) ?? key
        let connection = HostConnection(
            KnownHost(id: "new", name: "\(address)", addresses: [address], key: key),
            transport: ClientFolder.transport())
        let answer = try await connection.connect()
        let incoming = folder.path + "/new"
        defer { try? FileManager.default.removeItem(atPath: incoming) }
        let fresh = LibraryCopy(folder: incoming)
        try await fresh.refresh(from: connection)
        let library = try fresh.library()
        // The library's id is independent of the address.
        let id = try await String(library.revision().prefix { $0 != "." })
        let book = try folder.book()
        var host = book.all.first { $0.id == id } ?? KnownHost(id: id, name: "", addresses: [])
        host.name = answer.hostName
        host.key = key
        host.addresses.removeAll { $0 == address }
        host.addresses.insert(address, at: 0)
        if let tunnel = await greet(connection), !host.addresses.contains(tunnel) {
            host.addresses.append(tunnel)
        }
        try book.keep(host)
        try await folder.copy(of: host).refresh(
            from: HostConnection(host, transport: ClientFolder.transport()))
        let count = try await library.tracks(.init(sort: .title, limit: 1)).total
        Terminal.print("Connected to \(Terminal.harmless(host.name)): \(count) tracks.")
        return 0
    }

    /// Returns the app password for the account of `--user`; nil without one.
    private func signIn(at address: HostAddress) async throws -> String? {
        guard let user else { return nil }
        let password = Terminal.readPassword("password of '\(Terminal.harmless(user))':")
        return try await HostConnection(
            KnownHost(id: "new", name: "\(address)", addresses: [address]),
            transport: ClientFolder.transport()
        ).signIn(name: user, password: password, client: "stream-player").credential
    }

    /// Returns the address of the host's tunnel, which the host reports on the remote channel.
    private func greet(_ connection: HostConnection) async -> HostAddress? {
        let channel = RemoteChannel(
            connection, appVersion: "stream-player \(ProductVersion.text)", trust: ClientFolder.trust)
        let run = Task { try? await channel.run() }
        let answer = Task { () -> HostAddress? in
            for await event in channel.events {
                guard case .connected(let greeting) = event else { return nil }
                return greeting.tunnelURL.flatMap { HostAddress($0) }
            }
            return nil
        }
        let timeout = Task {
            try await Task.sleep(for: .seconds(5))
            answer.cancel()
        }
        defer {
            run.cancel()
            timeout.cancel()
        }
        return await answer.value
    }

    private func forget(_ name: String) throws -> Int32 {
        let book = try folder.book()
        guard let host = book.all.first(where: { $0.name == name || $0.id == name }) else {
            throw UsageError(message: "unknown host \(name)")
        }
        try book.forget(id: host.id)
        try? FileManager.default.removeItem(atPath: "\(folder.path)/\(host.id)")
        return 0
    }

    /// Lists the known hosts and those on the local network.
    private func list() async throws -> Int32 {
        for host in try folder.book().all {
            Terminal.print(
                "known  \(host.id)  \(Terminal.harmless(host.name))  "
                    + host.addresses.map(\.description).joined(separator: " "))
        }
        var found: [DiscoveredHost] = []
        let search = Task {
            var found: [DiscoveredHost] = []
            search: for await event in HostDiscovery().events() {
                switch event {
                case .hosts(let hosts): found = hosts
                case .allForNow: break search
                case .unavailable(let reason):
                    Terminal.complain("stream-player: cannot search the network: \(reason)")
                    break search
                }
            }
            return found
        }
        let limit = Task {
            try await Task.sleep(for: .seconds(seconds))
            search.cancel()
        }
        found = await search.value
        limit.cancel()
        for host in found { Terminal.print("found  \(Self.line(host))") }
        return 0
    }

    /// Prints hosts as they appear on and disappear from the local network, until the program is ended.
    private func watch() async -> Int32 {
        var known: [DiscoveredHost] = []
        for await event in HostDiscovery().events() {
            switch event {
            case .hosts(let hosts):
                for host in known where !hosts.contains(host) {
                    Terminal.print("lost   \(Terminal.harmless(host.name))")
                }
                for host in hosts where !known.contains(host) { Terminal.print("found  \(Self.line(host))") }
                known = hosts
            case .allForNow: continue
            case .unavailable(let reason):
                Terminal.complain("stream-player: cannot search the network: \(reason)")
            }
        }
        return 0
    }

    private static func line(_ host: DiscoveredHost) -> String {
        var line =
            "\(Terminal.harmless(host.name))  " + host.addresses.map(\.description).joined(separator: " ")
        if !host.needsKey { line += "  no API key required" }
        if let version = host.protocolVersion, version != StreamingConstants.protocolVersion {
            line += "  protocol version \(version), this program: \(StreamingConstants.protocolVersion)"
        }
        return line
    }
}
