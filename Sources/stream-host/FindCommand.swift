import ConsoleProgram
import Discovery
import Foundation

/// `stream-host find`: the hosts in this network.
struct FindCommand {
    /// Seconds that hosts have to tell of themselves.
    private var seconds = 3.0

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var seconds = seconds
        try arguments.takeOptions(flags: [], valued: ["--seconds"]) { name, value in
            seconds = try OptionValue.number(value, in: 0.1...3600, for: name)
        }
        _ = try arguments.operands(0...0, named: "no operands")
        self.seconds = seconds
    }

    func run() -> Int32 {
        let found = Found()
        let browser = ServiceBrowser(type: "_kanora._tcp") { event in
            switch event {
            case .services(let services): found.services = services
            case .unavailable(let reason): found.complaint = reason
            case .allForNow: break
            }
        }
        Thread.sleep(forTimeInterval: seconds)
        let services = found.services
        let complaint = found.complaint
        browser.end()
        for service in services {
            let scheme = service.texts["tls"] == "1" ? "https" : "http"
            let addresses = service.addresses.map {
                $0.contains(":") ? "\(scheme)://[\($0)]:\(service.port)" : "\(scheme)://\($0):\(service.port)"
            }
            Terminal.print(
                "\(Terminal.harmless(service.name))  \(addresses.joined(separator: " "))  "
                    + Terminal.harmless(service.hostName)
                    + (service.texts["auth"] == "none" ? "  without a key" : ""))
        }
        if services.isEmpty {
            Terminal.complain(
                complaint.map { "stream-host: nobody can be asked (\($0)): avahi-daemon has to run." }
                    ?? "stream-host: no host was found in this network.")
        }
        return services.isEmpty ? 1 : 0
    }
}

/// What the browser has told.
///
/// @unchecked: under the lock.
private final class Found: @unchecked Sendable {
    private let lock = NSLock()
    private var foundServices: [DiscoveredService] = []
    private var foundComplaint: String?

    var services: [DiscoveredService] {
        get { lock.withLock { foundServices } }
        set { lock.withLock { foundServices = newValue } }
    }
    var complaint: String? {
        get { lock.withLock { foundComplaint } }
        set { lock.withLock { foundComplaint = newValue } }
    }
}
