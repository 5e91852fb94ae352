import ConsoleProgram
import HTTPClient
import MusicShared
import Settings

/// `stream-host health`: whether the host that the same settings would start is up. For service managers.
struct HealthCommand {
    /// What asks gives up sooner than who watches it.
    private static let timeoutSeconds = 4.0

    private let settings: SettingsInForce

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        settings = try arguments.takeSettings(for: .host)
        _ = try arguments.operands(0...0, named: "no more than options")
    }

    /// - Returns: 0 where the host is up, 1 where it is not.
    func run() throws -> Int32 {
        var client = HTTPClient(userAgent: "stream-host \(ProductVersion.text)")
        client.timeoutSeconds = Self.timeoutSeconds
        // The certificate is made out to the name that clients use, not to this address of the same machine.
        client.checksCertificates = false
        do {
            let answer = try client.get(address)
            guard answer.status == 200 else {
                Terminal.complain("stream-host: \(address) answers \(answer.status)")
                return 1
            }
        } catch {
            Terminal.complain("stream-host: \(address): \(error)")
            return 1
        }
        Terminal.print("ok")
        return 0
    }

    private var address: String {
        let first = settings[\.host].prefix { $0 != "," }
        let host =
            switch first {
            case "0.0.0.0": "127.0.0.1"
            case "::": "[::1]"
            default: first.contains(":") ? "[\(first)]" : String(first)
            }
        return
            "\(settings[\.certificate] == nil ? "http" : "https")://\(host):\(settings[\.port])\(Routes.health)"
    }
}
