import Companion
import ConsoleProgram
import Foundation
import HTTPServer
import MusicShared
import Settings
import StreamHost
import Subsonic
import WebPlayer

/// `stream-host serve`.
struct ServeCommand {
    /// How long running answers may take once the host is asked to end, in seconds.
    private static let farewellSeconds = 10.0

    private let music: String
    private let inForce: SettingsInForce
    private let reach: ReachOptions
    private var settings = Host.Settings(name: ProcessInfo.processInfo.hostName)
    private var configuration = ServerConfiguration()

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        inForce = try arguments.takeSettings(for: .host)
        _ = try arguments.operands(0...0, named: "the music folder with --music")
        guard let music = inForce[\.music] else {
            throw UsageError(message: "name the music folder: --music DIR")
        }
        reach = try ReachOptions(inForce)
        self.music = music
        settings.name = inForce[\.name] ?? settings.name
        settings.appVersion = "stream-host \(ProductVersion.text)"
        settings.trustsEverybody = inForce[\.trustLAN]
        settings.metricsToken = inForce[\.metricsToken]
        settings.workers.count = inForce[\.jobs] ?? max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
        settings.uploads.naming = try NamingPattern(inForce[\.uploadNames])
        settings.uploads.limits.fileBytes = inForce[\.uploadLimit] << 20
        settings.watch.isOn = inForce[\.watch]
        settings.watch.scanInterval = inForce[\.scanInterval] > 0 ? inForce[\.scanInterval] : nil
        settings.webPlayer = try inForce[\.web].map { try WebPlayerSite(folder: $0) } ?? .installed()
        configuration.port = UInt16(inForce[\.port])
        configuration.addresses = inForce[\.host].split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        switch (inForce[\.certificate], inForce[\.key]) {
        case (let certificate?, let key?):
            configuration.tls = ServerConfiguration.TLS(certificatePath: certificate, keyPath: key)
        case (nil, nil): break
        default: throw UsageError(message: "--certificate and --key go together")
        }
        if !inForce[\.quiet] { configuration.accessLog = { Terminal.complain("\($0)") } }
    }

    func run() async throws -> Int32 {
        let interruption = Interruption()
        let folder = try MusicFolder(path: music)
        let data = try DataFolder(path: inForce[\.data], frames: inForce[\.frames])
        let rescan = try SubsonicServer(inForce, program: "stream-host").map { server in
            LibraryRescan(server, delaySeconds: inForce[\.navidromeDelay]) { Self.tell($0) }
        }
        defer { rescan?.stop() }
        let secrets = try HostSecrets(dataFolder: data.path)
        let host = try Host(
            music: folder, data: data, settings: settings, secrets: secrets, queue: AnalysisQueue(data),
            rescan: rescan
        ) { Terminal.complain($0) }
        let responder = host.responder { error, request in
            Terminal.complain("request \(request.id) failed: \(error)")
        }
        let server = try HTTPServer(responder, configuration: configuration)
        let scheme = configuration.tls == nil ? "http" : "https"
        for address in server.addresses { Terminal.print("listening on \(scheme)://\(address)") }
        Terminal.print(
            settings.trustsEverybody
                ? "no key is asked for: whoever reaches this address is let in"
                : "the key is in \(data.path)/host.json; `stream-host key show --data \(data.path)` prints it"
        )
        if settings.webPlayer == nil {
            Terminal.complain(
                "the files of the web player are not beside this program: / shows nothing; --web DIR says where they are"
            )
        }
        let reached = try HostReach(
            reach, host: host, settings: settings, responder: responder, addresses: server.addresses,
            isEncrypted: configuration.tls != nil, dataFolder: data.path)
        await interruption.comes()
        await server.shutdown(withinSeconds: Self.farewellSeconds)
        await reached.end()
        host.stop(withinSeconds: Self.farewellSeconds)
        return 0
    }

    /// Says what becomes of Navidrome's scans.
    private static func tell(_ event: LibraryRescan.Event) {
        switch event {
        case .started: Terminal.complain("Navidrome looks for changes")
        case .ended: break
        case .failed(let message, let seconds):
            let next =
                seconds.map { "asking again in \(Int($0.rounded())) s" }
                ?? "asking again after the next change"
            Terminal.complain(Terminal.harmless("\(message); \(next)"))
        }
    }
}

/// What asks the program to end, from the moment it is made: also amid the start.
private struct Interruption {
    private let signals: AsyncStream<Void>
    private let handler: InterruptionHandler

    init() {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        self.signals = signals
        handler = InterruptionHandler { continuation.yield() }
    }

    /// Returns when the program is asked to end, at once where it was asked before.
    func comes() async {
        for await _ in signals { break }
        handler.end()
    }
}
