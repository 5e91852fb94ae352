import CommandLineProgram
import Discovery
import Foundation
import Synchronization
import Threads

/// `stream-host find`: lists the hosts in the local network.
struct FindCommand {
    /// How long to wait for announcements, in seconds.
    private var seconds = 3.0

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var seconds = seconds
        try arguments.takeOptions(flags: [], valued: ["--seconds"]) { name, value in
            seconds = try OptionValue.number(value, in: 0.1...3600, for: name)
        }
        _ = try arguments.operands(0...0, named: "options only")
        self.seconds = seconds
    }

    func run() -> Int32 {
        let found = Found()
        let browser = ServiceBrowser(type: "_kanora._tcp") { event in
            switch event {
            case .services(let services): found.services.withLock { $0 = services }
            case .unavailable(let reason): found.complaint.withLock { $0 = reason }
            case .allForNow: break
            }
        }
        DedicatedThread.sleep(seconds: seconds)
        let services = found.services.withLock { $0 }
        let complaint = found.complaint.withLock { $0 }
        browser.end()
        for service in services {
            let scheme = service.texts["tls"] == "1" ? "https" : "http"
            let addresses = service.addresses.map {
                $0.contains(":") ? "\(scheme)://[\($0)]:\(service.port)" : "\(scheme)://\($0):\(service.port)"
            }
            Terminal.print(
                "\(Terminal.harmless(service.name))  \(addresses.joined(separator: " "))  "
                    + Terminal.harmless(service.hostName)
                    + (service.texts["auth"] == "none" ? "  no key required" : ""))
        }
        if services.isEmpty {
            Terminal.complain(
                complaint.map { "stream-host: cannot browse the network (\($0)); is avahi-daemon running?" }
                    ?? "stream-host: no hosts found in the local network.")
        }
        return services.isEmpty ? 1 : 0
    }
}

/// Results of the service browser.
private final class Found: Sendable {
    let services = Mutex<[DiscoveredService]>([])
    let complaint = Mutex<String?>(nil)
}
