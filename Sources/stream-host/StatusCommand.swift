import Companion
import CommandLineProgram
import Foundation
import HostAccounts
import MusicShared
import StreamHost

/// `stream-host status`: shows the status of the host running on a data folder.
struct StatusCommand {
    private let data: String
    private let isJSON: Bool

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var isJSON = false
        let settings = try arguments.takeSettings(
            for: .host, only: ["config", "data"], flags: ["--json"]
        ) { _, _ in isJSON = true }
        _ = try arguments.operands(0...0, named: "the data folder with --data")
        data = settings[\.data]
        self.isJSON = isJSON
    }

    func run() throws -> Int32 {
        guard let host = RunningHost.find(dataFolder: data) else {
            Terminal.complain(
                "stream-host: no host is running on \(data). Start it with `stream-host serve`, or specify --data DIR."
            )
            return 1
        }
        let request = LocalRequest(host: host, key: try HostSecrets(dataFolder: data).apiKeyText)
        let health = try request.get(Routes.health, as: HealthReport.self)
        let auth = try request.get(Routes.auth, as: AuthResponse.self)
        let clients = try request.get(Routes.clients, as: ClientList.self).clients
        var tracks: [Int: TrackItem] = [:]
        for id in Set(clients.compactMap(\.playback.trackID)) {
            // The track may no longer exist.
            tracks[id] = try? request.get(Routes.path(Routes.track, id), as: TrackItem.self)
        }
        let status = HostStatus(
            host: host, name: auth.hostName, health: health, clients: clients, tracks: tracks)
        if isJSON {
            Terminal.print(try JSONLine.text(status))
        } else {
            for line in status.lines { Terminal.print(line) }
        }
        return 0
    }
}
