/// A host that the user has added, with everything needed to connect to it again.
public struct KnownHost: Sendable, Hashable, Codable, Identifiable {
    /// Identifies the host among the client's hosts and in file names. Letters, digits and hyphens.
    public var id: String
    /// The host's display name.
    public var name: String
    /// The host's addresses, preferred one first: on the local network, by name, through its tunnel.
    public var addresses: [HostAddress]
    /// The API key, or an app password from ``HostConnection/signIn(name:password:client:)``; nil if the host requires none.
    public var key: String?

    /// Creates a host from its parts.
    public init(id: String, name: String, addresses: [HostAddress], key: String? = nil) {
        self.id = id
        self.name = name
        self.addresses = addresses
        self.key = key
    }
}
