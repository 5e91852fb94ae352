import Companion
import ConsoleProgram
import Foundation
import HTTPServer
import MusicShared
import StreamHost

/// `stream-host serve`.
struct ServeCommand {
    /// How long running answers may take once the host is asked to end, in seconds.
    private static let farewellSeconds = 10.0

    private var music = ""
    private var data = "./data"
    private var settings = Host.Settings(name: ProcessInfo.processInfo.hostName)
    private var configuration = ServerConfiguration()
    private var isQuiet = false
    private let reach: ReachOptions

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var values: [String: String] = [:]
        var flags: Set<String> = []
        try arguments.takeOptions(
            flags: ReachOptions.flags.union(["--trust-lan", "--quiet"]),
            valued: ReachOptions.valued.union([
                "--music", "--data", "--host", "--port", "--name", "--certificate", "--key",
            ])
        ) { name, value in
            if value.isEmpty { flags.insert(name) } else { values[name] = value }
        }
        _ = try arguments.operands(0...0, named: "the music folder with --music")
        guard let music = values["--music"] else {
            throw UsageError(message: "name the music folder: --music DIR")
        }
        reach = try ReachOptions(values: values, flags: flags)
        self.music = music
        data = values["--data"] ?? data
        settings.name = values["--name"] ?? settings.name
        settings.appVersion = "stream-host \(ProductVersion.text)"
        settings.trustsEverybody = flags.contains("--trust-lan")
        isQuiet = flags.contains("--quiet")
        configuration.port = StreamingConstants.defaultPort
        if let port = values["--port"] {
            configuration.port = UInt16(try OptionValue.integer(port, in: 0...65_535, for: "--port"))
        }
        if let host = values["--host"] { configuration.addresses = [host] }
        switch (values["--certificate"], values["--key"]) {
        case (let certificate?, let key?):
            configuration.tls = ServerConfiguration.TLS(certificatePath: certificate, keyPath: key)
        case (nil, nil): break
        default: throw UsageError(message: "--certificate and --key go together")
        }
        if !isQuiet { configuration.accessLog = { Terminal.complain("\($0)") } }
    }

    func run() async throws -> Int32 {
        let folder = try MusicFolder(path: music)
        let data = try DataFolder(path: data)
        var options = PassOptions()
        options.jobs = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
        let secrets = try HostSecrets(dataFolder: data.path)
        let host = try Host(
            music: folder, data: data, settings: settings, secrets: secrets,
            reanalysis: Reanalysis(music: folder, data: data, options: options) { Terminal.complain($0) })
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
        let reached = try server.addresses.first.map { address in
            try HostReach(
                reach, host: host, settings: settings, responder: responder, address: address,
                isEncrypted: configuration.tls != nil, dataFolder: data.path)
        }
        await Self.interruption()
        await server.shutdown(withinSeconds: Self.farewellSeconds)
        await reached?.end()
        return 0
    }

    /// Returns when the program is asked to end.
    private static func interruption() async {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        let handler = InterruptionHandler { continuation.yield() }
        for await _ in signals { break }
        handler.end()
    }
}
