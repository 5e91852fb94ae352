internal import CAvahi
internal import Glibc

/// Finds services of one type on the local network, through the Avahi daemon, until it is deallocated.
package final class ServiceBrowser: Sendable {
    /// A result of browsing.
    package enum Event: Sendable, Equatable {
        /// All services that are available now, by name.
        case services([DiscoveredService])
        /// The initial list is complete; services that appear later are reported as they appear.
        case allForNow
        /// No daemon is running. Browsing starts as soon as one does.
        case unavailable(reason: String)
    }

    private let connection: DaemonConnection

    /// Starts browsing.
    /// - Parameters:
    ///   - type: the service type, such as `_kanora._tcp`.
    ///   - onEvent: receives each result, on a thread that it must not block.
    package init(type: String, onEvent: @escaping @Sendable (Event) -> Void) {
        connection = DaemonConnection(task: Browsing(type: type, onEvent: onEvent))
    }

    /// Stops browsing, without waiting for it: an event may still follow. A stream that is cancelled calls this while it holds
    /// its task's lock, which delivering an event to that stream needs, too.
    package func end() { connection.stop() }

    deinit { connection.stop() }
}

/// Queries the daemon for services.
///
/// @unchecked: used on the connection's thread only.
private final class Browsing: DaemonTask, @unchecked Sendable {
    /// The interface and IP version on which a service was found: one machine may announce it on several.
    struct Sighting: Hashable {
        let name: String
        let interface: AvahiIfIndex
        let family: AvahiProtocol
    }

    private let type: String
    private let onEvent: @Sendable (ServiceBrowser.Event) -> Void
    private var browser: OpaquePointer?
    private var resolvers: [Sighting: OpaquePointer] = [:]
    private var found: [Sighting: DiscoveredService] = [:]
    private var unresolved: Set<Sighting> = []
    private var hasHeardAll = false

    init(type: String, onEvent: @escaping @Sendable (ServiceBrowser.Event) -> Void) {
        self.type = type
        self.onEvent = onEvent
    }

    func begin(_ client: DaemonClient) {
        guard browser == nil else { return }
        // Not retained: every handle that refers to this object is freed before the connection releases its task.
        browser = avahi_service_browser_new(
            client, cavahi_any_interface, cavahi_any_protocol, type, nil, cavahi_lookup_plain,
            browserHasResult, Unmanaged.passUnretained(self).toOpaque())
        if browser == nil { isUnavailable(Self.message(avahi_client_errno(client))) }
    }

    func pause() {}

    func end() {
        for resolver in resolvers.values { avahi_service_resolver_free(resolver) }
        resolvers = [:]
        if let browser { avahi_service_browser_free(browser) }
        browser = nil
        unresolved = []
        hasHeardAll = false
        if !found.isEmpty {
            found = [:]
            report()
        }
    }

    func isUnavailable(_ reason: String) { onEvent(.unavailable(reason: reason)) }

    private static func message(_ error: Int32) -> String {
        avahi_strerror(error).map { String(cString: $0) } ?? "unknown error"
    }

    fileprivate func appear(_ sighting: Sighting, domain: UnsafePointer<CChar>?, client: DaemonClient) {
        guard resolvers[sighting] == nil else { return }
        // Kept, so that changes of its record are reported.
        resolvers[sighting] = avahi_service_resolver_new(
            client, sighting.interface, sighting.family, sighting.name, type, domain, sighting.family,
            cavahi_lookup_plain, resolverHasResult, Unmanaged.passUnretained(self).toOpaque())
        if resolvers[sighting] != nil { unresolved.insert(sighting) }
    }

    fileprivate func vanish(_ sighting: Sighting) {
        if let resolver = resolvers.removeValue(forKey: sighting) { avahi_service_resolver_free(resolver) }
        settle(sighting)
        if found.removeValue(forKey: sighting) != nil { report() }
    }

    fileprivate func resolve(_ sighting: Sighting, as service: DiscoveredService?) {
        if let service, found[sighting] != service {
            found[sighting] = service
            report()
        }
        settle(sighting)
    }

    fileprivate func hearAll() {
        hasHeardAll = true
        if unresolved.isEmpty { onEvent(.allForNow) }
    }

    fileprivate func fail(_ error: Int32) { isUnavailable(Self.message(error)) }

    private func settle(_ sighting: Sighting) {
        if unresolved.remove(sighting) != nil, unresolved.isEmpty, hasHeardAll { onEvent(.allForNow) }
    }

    private func report() {
        let byName = Dictionary(grouping: found.values, by: \.name)
        let services = byName.values.compactMap { seen -> DiscoveredService? in
            var service = seen.first
            service?.addresses = Set(seen.flatMap(\.addresses)).sorted { one, other in
                (one.contains(":") ? 1 : 0, one) < (other.contains(":") ? 1 : 0, other)
            }
            return service
        }
        onEvent(.services(services.sorted { $0.name < $1.name }))
    }
}

private func browsing(_ context: UnsafeMutableRawPointer?) -> Browsing? {
    context.map { Unmanaged<Browsing>.fromOpaque($0).takeUnretainedValue() }
}

private func browserHasResult(
    _ browser: OpaquePointer?, _ interface: AvahiIfIndex, _ family: AvahiProtocol,
    _ event: AvahiBrowserEvent, _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?,
    _ domain: UnsafePointer<CChar>?, _ flags: AvahiLookupResultFlags, _ context: UnsafeMutableRawPointer?
) {
    guard let browsing = browsing(context), let client = avahi_service_browser_get_client(browser) else {
        return
    }
    let sighting = name.map {
        Browsing.Sighting(name: String(cString: $0), interface: interface, family: family)
    }
    switch (event, sighting) {
    case (AVAHI_BROWSER_NEW, let sighting?): browsing.appear(sighting, domain: domain, client: client)
    case (AVAHI_BROWSER_REMOVE, let sighting?): browsing.vanish(sighting)
    case (AVAHI_BROWSER_ALL_FOR_NOW, _): browsing.hearAll()
    case (AVAHI_BROWSER_FAILURE, _): browsing.fail(avahi_client_errno(client))
    default: break
    }
}

private func resolverHasResult(
    _ resolver: OpaquePointer?, _ interface: AvahiIfIndex, _ family: AvahiProtocol,
    _ event: AvahiResolverEvent, _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?,
    _ domain: UnsafePointer<CChar>?, _ host: UnsafePointer<CChar>?, _ address: UnsafePointer<AvahiAddress>?,
    _ port: UInt16, _ texts: UnsafeMutablePointer<AvahiStringList>?, _ flags: AvahiLookupResultFlags,
    _ context: UnsafeMutableRawPointer?
) {
    guard let browsing = browsing(context), let name else { return }
    let sighting = Browsing.Sighting(name: String(cString: name), interface: interface, family: family)
    guard event == AVAHI_RESOLVER_FOUND, let type, let host, let address else {
        return browsing.resolve(sighting, as: nil)
    }
    browsing.resolve(
        sighting,
        as: DiscoveredService(
            name: sighting.name, type: String(cString: type), hostName: String(cString: host),
            addresses: [text(of: address, on: interface)], port: port, texts: dictionary(of: texts)))
}

/// A numeric address; a link-local one carries the name of its network interface (RFC 4007, section 11).
private func text(of address: UnsafePointer<AvahiAddress>, on interface: AvahiIfIndex) -> String {
    var bytes = [CChar](repeating: 0, count: Int(AVAHI_ADDRESS_STR_MAX))
    avahi_address_snprint(&bytes, bytes.count, address)
    let text = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard text.hasPrefix("fe80:") else { return text }
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard if_indextoname(UInt32(interface), &name) != nil else { return text }
    return text + "%"
        + String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

private func dictionary(of texts: UnsafeMutablePointer<AvahiStringList>?) -> [String: String] {
    var all: [String: String] = [:]
    var rest = texts
    while let entry = rest {
        let bytes = UnsafeBufferPointer(
            start: avahi_string_list_get_text(entry), count: avahi_string_list_get_size(entry))
        let parts = String(decoding: bytes, as: UTF8.self)
            .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if let key = parts.first, !key.isEmpty, all[String(key)] == nil {
            all[String(key)] = parts.count == 2 ? String(parts[1]) : ""
        }
        rest = avahi_string_list_get_next(entry)
    }
    return all
}
