import Companion
import CommandLineProgram
import HostAccounts
import LibraryStore
import StreamHost

/// `stream-host key show|regenerate|set`.
struct KeyCommand {
    private enum Action: String, CaseIterable {
        /// `set` reads the key from standard input: command lines are visible to all processes.
        case show, regenerate, set
    }

    private let action: Action
    private let data: String

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        let settings = try arguments.takeSettings(for: .host, only: ["config", "data"])
        action = try OptionValue.oneOf(
            try arguments.operands(1...1, named: "show, regenerate or set")[0], for: "key")
        data = settings[\.data]
    }

    func run() throws -> Int32 {
        let folder = try DataFolder(path: data)
        let secrets =
            switch action {
            case .show: try HostSecrets(dataFolder: folder.path)
            case .regenerate: try HostSecrets.regenerate(dataFolder: folder.path)
            case .set: try HostSecrets.set(readLine() ?? "", dataFolder: folder.path)
            }
        Terminal.print(secrets.apiKeyText)
        return 0
    }
}
