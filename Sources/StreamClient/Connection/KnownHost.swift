/// A host that a person has told of or chosen: what it takes to reach it again.
public struct KnownHost: Sendable, Hashable, Codable, Identifiable {
    /// Names it among the client's hosts and the client's files. Letters, digits and hyphens.
    public var id: String
    /// What people call it.
    public var name: String
    /// Where it may be reached, the preferred one first: in the local network, by its name, through its tunnel.
    public var addresses: [HostAddress]
    /// The key that opens it; nil for a host that asks for none.
    public var key: String?

    /// Puts the parts together.
    public init(id: String, name: String, addresses: [HostAddress], key: String? = nil) {
        self.id = id
        self.name = name
        self.addresses = addresses
        self.key = key
    }
}
