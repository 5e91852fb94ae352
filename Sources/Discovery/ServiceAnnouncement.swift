internal import CAvahi

/// Announces services under one name on the local network, through the Avahi daemon, until it is deallocated. If the daemon
/// starts later or restarts, the services are announced again.
package final class ServiceAnnouncement: Sendable {
    /// A change in the state of an announcement.
    package enum Event: Sendable, Equatable {
        /// The services are announced under this name: the requested one, or one with a number if that was taken.
        case announced(name: String)
        /// No daemon is running. The services are announced as soon as one starts.
        case unavailable(reason: String)
        /// The daemon rejected the announcement.
        case refused(reason: String)
    }

    /// The network interfaces and IP versions on which the services are reachable.
    package struct Place: Sendable, Equatable {
        /// The system's number of the network interface; nil for all interfaces.
        package var interface: Int32?
        /// Whether only IPv4 or only IPv6 is used; nil for both.
        package var isIPv6: Bool?

        /// Creates a place; without arguments it means all interfaces and both IP versions.
        package init(interface: Int32? = nil, isIPv6: Bool? = nil) {
            self.interface = interface
            self.isIPv6 = isIPv6
        }
    }

    private let connection: DaemonConnection

    /// Announces services.
    /// - Parameters:
    ///   - name: the name shown to people; cut to 63 bytes (RFC 6763, section 4.1.1).
    ///   - services: the services announced under it.
    ///   - place: where they are reachable.
    ///   - onEvent: receives each change of state, on a thread that it must not block.
    package init(
        name: String, services: [AnnouncedService], at place: Place = Place(),
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        connection = DaemonConnection(
            task: Announcing(name: name, services: services, place: place, onEvent: onEvent))
    }

    /// Withdraws the services and waits until that is done.
    package func end() { connection.end() }

    deinit { connection.end() }
}

/// Registers the services with the daemon.
///
/// @unchecked: used on the connection's thread only.
private final class Announcing: DaemonTask, @unchecked Sendable {
    private let wantedName: String
    private let services: [AnnouncedService]
    private let place: ServiceAnnouncement.Place
    private let onEvent: @Sendable (ServiceAnnouncement.Event) -> Void
    private var name: String
    private var group: OpaquePointer?
    private var client: DaemonClient?

    init(
        name: String, services: [AnnouncedService], place: ServiceAnnouncement.Place,
        onEvent: @escaping @Sendable (ServiceAnnouncement.Event) -> Void
    ) {
        wantedName = name.isEmpty ? "Music" : name.prefix(bytes: 63)
        self.name = wantedName
        self.services = services
        self.place = place
        self.onEvent = onEvent
    }

    func begin(_ client: DaemonClient) {
        self.client = client
        if group == nil {
            // A number that was needed before may be unnecessary now.
            name = wantedName
            // Not retained: the group is freed before the connection releases its task.
            group = avahi_entry_group_new(
                client, groupHasChanged, Unmanaged.passUnretained(self).toOpaque())
        }
        guard let group else { return refuse(avahi_client_errno(client)) }
        if avahi_entry_group_is_empty(group) != 0 { publish(group) }
    }

    func pause() {
        if let group { avahi_entry_group_reset(group) }
    }

    func end() {
        if let group { avahi_entry_group_free(group) }
        group = nil
        client = nil
    }

    func isUnavailable(_ reason: String) { onEvent(.unavailable(reason: reason)) }

    private func publish(_ group: OpaquePointer) {
        var result = add(to: group)
        while result == Int32(AVAHI_ERR_COLLISION) {
            // Another program on this machine uses the name.
            takeAnotherName()
            avahi_entry_group_reset(group)
            result = add(to: group)
        }
        if result == 0 { result = avahi_entry_group_commit(group) }
        if result != 0 { refuse(result) }
    }

    private func add(to group: OpaquePointer) -> Int32 {
        let family = place.isIPv6.map { $0 ? cavahi_ipv6 : cavahi_ipv4 } ?? cavahi_any_protocol
        for service in services {
            var list: UnsafeMutablePointer<AvahiStringList>?
            defer { avahi_string_list_free(list) }
            // Each entry is put in front of the list, which the daemon writes from its end.
            for text in service.texts { list = avahi_string_list_add(list, text.entry) }
            let result = avahi_entry_group_add_service_strlst(
                group, place.interface ?? cavahi_any_interface, family, cavahi_publish_plain, name,
                service.type, nil, nil, service.port, list)
            if result != 0 { return result }
        }
        return 0
    }

    private func takeAnotherName() {
        guard let other = avahi_alternative_service_name(name) else { return }
        name = String(cString: other)
        avahi_free(other)
    }

    private func refuse(_ error: Int32) {
        onEvent(.refused(reason: avahi_strerror(error).map { String(cString: $0) } ?? "unknown error"))
    }

    fileprivate func change(_ group: OpaquePointer, _ state: AvahiEntryGroupState) {
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED: onEvent(.announced(name: name))
        case AVAHI_ENTRY_GROUP_COLLISION:
            // Another machine uses the name.
            takeAnotherName()
            avahi_entry_group_reset(group)
            publish(group)
        case AVAHI_ENTRY_GROUP_FAILURE: if let client { refuse(avahi_client_errno(client)) }
        default: break
        }
    }
}

private func groupHasChanged(
    _ group: OpaquePointer?, _ state: AvahiEntryGroupState, _ context: UnsafeMutableRawPointer?
) {
    guard let group, let context else { return }
    Unmanaged<Announcing>.fromOpaque(context).takeUnretainedValue().change(group, state)
}
