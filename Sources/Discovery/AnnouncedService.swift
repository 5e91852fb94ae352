/// A service as it is announced on the local network (RFC 6763).
public struct AnnouncedService: Sendable, Equatable {
    /// Its type, such as `_http._tcp`.
    public var type: String
    /// The TCP port it listens on.
    public var port: UInt16
    /// What its TXT record says, in this order: keys of at most 9 characters (section 6.4), which everybody on the network
    /// can read.
    public var texts: [Text]

    /// A key of a TXT record with its value.
    public struct Text: Sendable, Equatable {
        /// The key.
        public var key: String
        /// The value.
        public var value: String

        /// Pairs them.
        public init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }

        /// The pair as the record has it: 255 bytes at most (section 6.1); a longer value is cut between two characters.
        var entry: String { "\(key)=\(value)".prefix(bytes: 255) }
    }

    /// Describes a service.
    public init(type: String, port: UInt16, texts: [Text]) {
        self.type = type
        self.port = port
        self.texts = texts
    }
}

extension String {
    /// As many whole characters as fit into so many bytes.
    func prefix(bytes limit: Int) -> String {
        var text = self
        while text.utf8.count > limit { text.removeLast() }
        return text
    }
}
