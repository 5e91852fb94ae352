import CommandLineProgram
import HTTPClient
import MusicShared

/// `stream-host health`: checks whether the host with these settings is up. For service managers.
struct HealthCommand {
    /// Shorter than the usual timeouts of service managers.
    private static let timeoutSeconds = 4.0

    private let settings: EffectiveSettings

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        settings = try arguments.takeSettings(for: .host)
        _ = try arguments.operands(0...0, named: "options only")
    }

    /// - Returns: 0 if the host is up, 1 otherwise.
    func run() throws -> Int32 {
        var client = HTTPClient(userAgent: "stream-host/\(ProductVersion.number)")
        client.timeoutSeconds = Self.timeoutSeconds
        // The certificate is issued for the name that clients use, not for this local address.
        client.checksCertificates = false
        do {
            let answer = try client.get(address)
            guard answer.status == 200 else {
                Terminal.complain("stream-host: \(address) returned status \(answer.status)")
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
