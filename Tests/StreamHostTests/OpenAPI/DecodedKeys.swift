/// The keys that a type decodes, found by decoding it from an empty input: required and optional ones.
final class DecodedKeys {
    private(set) var required: Set<String> = []
    private(set) var optional: Set<String> = []

    init<Value: Decodable>(of type: Value.Type) throws {
        _ = try Value(
            from: Nothing { [self] key, isRequired in
                if isRequired { required.insert(key) } else { optional.insert(key) }
            })
    }
}

/// Decodes the simplest value for every key, and reports optional keys as missing.
private struct Nothing: Decoder {
    let note: (_ key: String, _ isRequired: Bool) -> Void
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ note: @escaping (String, Bool) -> Void = { _, _ in }) { self.note = note }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keys<Key>(note: note))
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unsupported() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Unsupported() }

    struct Unsupported: Error {}

    private struct Keys<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let note: (String, Bool) -> Void
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        /// Only called for optional values.
        func contains(_ key: Key) -> Bool {
            note(key.stringValue, false)
            return false
        }
        func decodeNil(forKey key: Key) -> Bool { true }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            note(key.stringValue, true)
            if let simple = simplest(type) { return simple }
            return try Value(from: Nothing())
        }

        private func simplest<Value>(_ type: Value.Type) -> Value? {
            if let list = type as? any RangeReplaceableCollection.Type { return list.init() as? Value }
            if let choice = type as? any CaseIterable.Type { return first(of: choice) as? Value }
            return nil
        }
        private func first<Choice: CaseIterable>(of type: Choice.Type) -> Choice? { type.allCases.first }

        private func plain<Value>(_ value: Value, _ key: Key) -> Value {
            note(key.stringValue, true)
            return value
        }
        func decode(_ type: Bool.Type, forKey key: Key) -> Bool { plain(false, key) }
        func decode(_ type: String.Type, forKey key: Key) -> String { plain("", key) }
        func decode(_ type: Double.Type, forKey key: Key) -> Double { plain(0, key) }
        func decode(_ type: Float.Type, forKey key: Key) -> Float { plain(0, key) }
        func decode(_ type: Int.Type, forKey key: Key) -> Int { plain(0, key) }
        func decode(_ type: Int8.Type, forKey key: Key) -> Int8 { plain(0, key) }
        func decode(_ type: Int16.Type, forKey key: Key) -> Int16 { plain(0, key) }
        func decode(_ type: Int32.Type, forKey key: Key) -> Int32 { plain(0, key) }
        func decode(_ type: Int64.Type, forKey key: Key) -> Int64 { plain(0, key) }
        func decode(_ type: UInt.Type, forKey key: Key) -> UInt { plain(0, key) }
        func decode(_ type: UInt8.Type, forKey key: Key) -> UInt8 { plain(0, key) }
        func decode(_ type: UInt16.Type, forKey key: Key) -> UInt16 { plain(0, key) }
        func decode(_ type: UInt32.Type, forKey key: Key) -> UInt32 { plain(0, key) }
        func decode(_ type: UInt64.Type, forKey key: Key) -> UInt64 { plain(0, key) }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw Unsupported() }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw Unsupported()
        }
        func superDecoder() throws -> any Decoder { throw Unsupported() }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw Unsupported() }
    }
}
