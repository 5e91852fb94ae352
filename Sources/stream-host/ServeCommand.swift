import Companion
import CommandLineProgram
import FileSystem
import Foundation
import HostAccounts
import HostEditing
import HTTPClient
import HTTPServer
import LibraryStore
import MusicFiles
import MusicShared
import RadioRelay
import SharedListening
import StreamHost
import Subsonic
import Threads
import WebPlayer

/// `stream-host serve`: runs the host.
struct ServeCommand {
    /// Timeout in seconds for running responses during shutdown.
    private static let farewellSeconds = 10.0

    private let music: String
    private let inForce: EffectiveSettings
    /// Whether to bind the data folder to the music folder even if it was bound to another one.
    private let rebinds: Bool
    private let reach: ReachOptions
    private let drainSeconds: Double
    private var settings = Host.Settings(name: ProcessInfo.processInfo.hostName)
    private var configuration = ServerConfiguration()

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var rebinds = false
        inForce = try arguments.takeSettings(for: .host, flags: ["--rebind"]) { _, _ in rebinds = true }
        self.rebinds = rebinds
        _ = try arguments.operands(0...0, named: "the music folder with --music")
        settings.following = try Following(inForce)
        settings.sharedListening = try PostgreSQLListening(inForce)
        // A follower without a music folder keeps copies of the files that were played.
        let copies = settings.following == nil ? nil : "\(inForce[\.data])/music"
        guard let music = inForce[\.music] ?? copies else {
            throw UsageError(message: "missing music folder; specify it with --music DIR")
        }
        reach = try ReachOptions(inForce)
        self.music = music
        drainSeconds = inForce[\.drain]
        settings.name = inForce[\.name] ?? settings.name
        settings.appVersion = "stream-host \(ProductVersion.text)"
        settings.requiresNoKey = inForce[\.trustLAN]
        settings.accountName = inForce[\.account]
        settings.metricsToken = inForce[\.metricsToken]
        settings.workers.count = inForce[\.jobs] ?? max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
        settings.workers.pruneAfterDays = inForce[\.pruneAfter] > 0 ? inForce[\.pruneAfter] : nil
        settings.uploads.naming = try NamingPattern(inForce[\.uploadNames])
        settings.uploads.limits.fileBytes = inForce[\.uploadLimit] << 20
        settings.radio.allowedNetworks = try Self.networks(inForce[\.radioNetworks] ?? "")
        settings.radio.stationLimit = inForce[\.radioStations]
        settings.radio.diskBudget = inForce[\.radioDisk] << 20
        settings.radio.userAgent = "audio-companion/\(ProductVersion.text)"
        settings.jukebox = try JukeboxOptions.settings(inForce)
        settings.watch.isOn = inForce[\.watch]
        settings.watch.scanInterval = inForce[\.scanInterval] > 0 ? inForce[\.scanInterval] : nil
        settings.webPlayer = try inForce[\.web].map { try WebPlayerSite(folder: $0) } ?? .installed()
        configuration.port = UInt16(inForce[\.port])
        configuration.addresses = inForce[\.host].split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        configuration.connectionLimitPerAddress = inForce[\.connectionsPerAddress]
        configuration.trustedProxies = try Self.addresses(inForce[\.trustedProxies] ?? "")
        switch (inForce[\.certificate], inForce[\.key]) {
        case (let certificate?, let key?):
            configuration.tls = ServerConfiguration.TLS(certificatePath: certificate, keyPath: key)
        case (nil, nil): break
        default: throw UsageError(message: "--certificate and --key must be given together")
        }
        if !inForce[\.quiet] {
            configuration.accessLog = { Self.log("\($0)") }
            settings.activityLog = { Self.log(Terminal.harmless($0)) }
        }
    }

    /// Parses a comma-separated list of networks.
    private static func networks(_ list: String) throws -> [NetworkRange] {
        try list.split(separator: ",").map { name in
            let text = name.trimmingCharacters(in: .whitespaces)
            guard let range = NetworkRange(text) else {
                throw UsageError(
                    message: "--radio-networks: '\(text)' is not a network; write 192.168.1.0/24 or fd00::/8")
            }
            return range
        }
    }

    /// Parses a comma-separated list of addresses.
    private static func addresses(_ list: String) throws -> Set<String> {
        let names = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return Set(
            try names.map { name in
                guard let address = RemoteAddress(numbers: name[...]) else {
                    throw UsageError(
                        message:
                            "--trusted-proxies: '\(name)' is not an IPv4 or IPv6 address; host names are not allowed"
                    )
                }
                return address.host
            })
    }

    /// Warns if the private key is readable by every user of the machine.
    private static func checkKey(_ path: String) {
        guard let status = try? Files.status(of: path), status.permissions & 0o004 != 0 else { return }
        Terminal.complain(
            "warning: every user of this machine can read the TLS key \(Terminal.harmless(path)); run: chmod o-rwx \(Terminal.harmless(path))"
        )
    }

    func run() async throws -> Int32 {
        let interruption = Interruption()
        let data = try DataFolder(path: inForce[\.data], frames: inForce[\.frames])
        let mark = try RunningHost.Mark(dataFolder: data.path)
        if let following = settings.following {
            if !following.sharesMusic { try? Files.makeFolder(music, permissions: 0o700) }
            try await DedicatedThread.run("follow") { try following.prepare(data) }
        } else if Following.isFollower(data) {
            throw UsageError(
                message:
                    "\(data.path) is a copy of another host's data; add --follow, or choose another folder with --data"
            )
        }
        let folder = try MusicFolder(path: music)
        // The library of a follower is not made from its music folder.
        let binding =
            settings.following == nil ? try MusicBinding(data, to: folder, rebinds: rebinds) : nil
        defer { withExtendedLifetime(binding) {} }
        let rescan = try SubsonicServer(inForce, program: "stream-host").map { server in
            LibraryRescan(server, delaySeconds: inForce[\.navidromeDelay]) { Self.log($0) }
        }
        defer { rescan?.stop() }
        let secrets = try HostSecrets(dataFolder: data.path)
        let host = try Host(
            music: folder, data: data, settings: settings, secrets: secrets, queue: AnalysisQueue(data),
            rescan: rescan
        ) { Self.log($0) }
        let responder = host.responder { error, request in
            Self.log("request \(request.id) failed: \(error)")
        }
        let server = try HTTPServer(responder, configuration: configuration)
        if let tls = configuration.tls { Self.checkKey(tls.keyPath) }
        let scheme = configuration.tls == nil ? "http" : "https"
        for address in server.addresses { Terminal.print("listening on \(scheme)://\(address)") }
        Terminal.print(
            settings.requiresNoKey
                ? "no API key required: everyone who can reach this address has access"
                : "the API key is in \(data.path)/host.json; `stream-host key show --data \(data.path)` prints it"
        )
        if settings.webPlayer == nil {
            Terminal.complain(
                "the files of the web player were not found, so / is not available; specify their folder with --web DIR"
            )
        }
        let reached = try HostPublication(
            reach, mark: mark, host: host, settings: settings, responder: responder,
            addresses: server.addresses,
            isEncrypted: configuration.tls != nil)
        await interruption.comes()
        reached.expectEnd()
        host.drain()
        // Load balancers see it and send new requests elsewhere.
        if drainSeconds > 0 { try? await Task.sleep(for: .seconds(drainSeconds)) }
        await server.shutdown(withinSeconds: Self.farewellSeconds)
        await reached.end()
        await host.stopJukebox()
        host.stop(withinSeconds: Self.farewellSeconds)
        return 0
    }

    /// Writes a log line with a timestamp.
    private static func log(_ line: String) { Terminal.complain("\(Terminal.timestamp()) \(line)") }

    /// Logs events of Navidrome scans.
    private static func log(_ event: LibraryRescan.Event) {
        switch event {
        case .started: log("Navidrome scan started")
        case .ended: break
        case .failed(let message, let seconds):
            let next =
                seconds.map { "retrying in \(Int($0.rounded())) s" }
                ?? "retrying after the next change"
            log(Terminal.harmless("\(message); \(next)"))
        }
    }
}

/// Waits for SIGINT or SIGTERM. Signals are recorded from creation on, so those during startup count too.
private struct Interruption {
    private let signals: AsyncStream<Void>
    private let handler: InterruptionHandler

    init() {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        self.signals = signals
        handler = InterruptionHandler { continuation.yield() }
    }

    /// Returns when the program is asked to stop; immediately if it was asked before.
    func comes() async {
        for await _ in signals { break }
        handler.end()
    }
}
