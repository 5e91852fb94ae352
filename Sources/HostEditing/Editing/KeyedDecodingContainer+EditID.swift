internal import APIDescription

extension KeyedDecodingContainer {
    /// Decodes the ID of an edit in the history; nil if the key is absent.
    func decodeEditID(_ key: Key) throws -> Int? {
        guard contains(key) else { return nil }
        let id = try decode(Int.self, forKey: key)
        guard JSONSchema.identifiers.contains(id) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "not a valid edit ID")
        }
        return id
    }
}
