import StreamClient
import Synchronization
import Testing

/// Discovery with a list of services in memory.
@Suite("Discovery of hosts")
struct HostDiscoveryTests {
    private final class ServiceList: ServiceDiscovery {
        let events: [ServiceDiscoveryEvent]
        let asked = Mutex<[String]>([])

        init(_ events: [ServiceDiscoveryEvent]) { self.events = events }

        func browse(_ type: String) -> AsyncStream<ServiceDiscoveryEvent> {
            asked.withLock { $0.append(type) }
            return AsyncStream { continuation in
                for event in events { continuation.yield(event) }
                continuation.finish()
            }
        }
    }

    @Test("Services become hosts with the properties of their TXT records")
    func hosts() async {
        let attic = ResolvedService(
            name: "Attic", hostName: "attic.local", addresses: ["192.168.1.2", "fe80::1%eth0"], port: 8420,
            texts: ["proto": "1", "auth": "key"])
        let barn = ResolvedService(
            name: "Barn", hostName: "", addresses: ["192.168.1.3"], port: 443,
            texts: ["tls": "1", "auth": "none"])
        let list = ServiceList([.services([barn, attic]), .allForNow, .unavailable(reason: "no daemon")])
        var events: [HostDiscovery.Event] = []
        for await event in HostDiscovery(list).events() { events.append(event) }
        #expect(list.asked.withLock { $0 } == ["_kanora._tcp"])
        guard case .hosts(let hosts) = events.first else {
            Issue.record("no hosts")
            return
        }
        #expect(hosts.map(\.name) == ["Attic", "Barn"])
        #expect(
            hosts.map { $0.addresses.map(\.description) } == [
                ["http://192.168.1.2:8420", "http://[fe80::1%25eth0]:8420", "http://attic.local:8420"],
                ["https://192.168.1.3"],
            ])
        #expect(hosts.map(\.needsKey) == [true, false])
        #expect(hosts.map(\.protocolVersion) == [1, nil])
        #expect(events.dropFirst() == [.allForNow, .unavailable("no daemon")])
    }
}
