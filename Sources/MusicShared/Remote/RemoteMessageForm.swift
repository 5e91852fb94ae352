/// The names of the keys in messages of the remote channel.
///
/// A client chooses the form with its handshake; the host answers in the same one. Both sides read either.
public enum RemoteMessageForm: Sendable {
    /// `{"play":{"track_id":17,"queue_ids":[16,17]}}`: the form of the rest of the API.
    case snakeCase
    /// `{"play":{"trackId":17,"queueIds":[16,17]}}`: the form that Swift derives for ``RemoteCommand`` and ``HostEvent``, for
    /// apps that were written for it.
    case derived
}

extension CodingUserInfoKey {
    /// The ``RemoteMessageForm`` in which an encoder writes; without it, ``RemoteMessageForm/snakeCase``.
    public static let remoteMessageForm = {
        // The initialiser returns an optional, but accepts every text.
        guard let key = CodingUserInfoKey(rawValue: "remote_message_form") else { preconditionFailure() }
        return key
    }()
}

/// A key with its name in each form.
struct RemoteKey: Equatable, Sendable {
    /// The name in one form, for the coders.
    struct Name: CodingKey, Equatable {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let snakeCase: Name
    let derived: Name

    /// - Parameter derived: the derived name, where it differs.
    init(_ snakeCase: String, _ derived: String? = nil) {
        self.snakeCase = Name(stringValue: snakeCase)
        self.derived = Name(stringValue: derived ?? snakeCase)
    }

    func name(in form: RemoteMessageForm) -> Name { form == .snakeCase ? snakeCase : derived }

    func matches(_ name: String) -> Bool { name == snakeCase.stringValue || name == derived.stringValue }
}

extension Encoder {
    var remoteMessageForm: RemoteMessageForm {
        userInfo[.remoteMessageForm] as? RemoteMessageForm ?? .snakeCase
    }
}

typealias RemoteDecodingContainer = KeyedDecodingContainer<RemoteKey.Name>
typealias RemoteEncodingContainer = KeyedEncodingContainer<RemoteKey.Name>

extension KeyedDecodingContainer<RemoteKey.Name> {
    func decode<Value: Decodable>(_ key: RemoteKey) throws -> Value {
        if let value = try decodeIfPresent(Value.self, forKey: key.snakeCase) { return value }
        return try decode(Value.self, forKey: key.derived)
    }

    func decodeIfPresent<Value: Decodable>(_ key: RemoteKey) throws -> Value? {
        try decodeIfPresent(Value.self, forKey: key.snakeCase)
            ?? decodeIfPresent(Value.self, forKey: key.derived)
    }

    func nested(_ key: RemoteKey) throws -> RemoteDecodingContainer {
        try nestedContainer(
            keyedBy: RemoteKey.Name.self, forKey: contains(key.snakeCase) ? key.snakeCase : key.derived)
    }

    /// The only key of a message, which names it.
    func only(_ names: [RemoteKey], of kind: String) throws -> RemoteKey {
        guard allKeys.count == 1, let name = names.first(where: { $0.matches(allKeys[0].stringValue) }) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: "expected one key that names a known \(kind)"))
        }
        return name
    }
}
