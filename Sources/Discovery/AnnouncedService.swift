/// A service to announce on the local network (RFC 6763).
package struct AnnouncedService: Sendable, Equatable {
    /// Its type, such as `_http._tcp`.
    package var type: String
    /// The TCP port it listens on.
    package var port: UInt16
    /// The entries of its TXT record, in this order: keys of at most 9 characters (section 6.4). Everyone on the network can
    /// read them.
    package var texts: [Text]

    /// A key of a TXT record with its value.
    package struct Text: Sendable, Equatable {
        /// The key.
        package var key: String
        /// The value.
        package var value: String

        /// Creates a pair.
        package init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }

        /// The pair as it is encoded in the record: 255 bytes at most (section 6.1); a longer value is cut at a character boundary.
        var entry: String { "\(key)=\(value)".prefix(bytes: 255) }
    }

    /// Creates the description of a service.
    package init(type: String, port: UInt16, texts: [Text]) {
        self.type = type
        self.port = port
        self.texts = texts
    }
}

extension String {
    /// Returns the longest prefix of whole characters that fits into the given number of bytes.
    func prefix(bytes limit: Int) -> String {
        var text = self
        while text.utf8.count > limit { text.removeLast() }
        return text
    }
}
