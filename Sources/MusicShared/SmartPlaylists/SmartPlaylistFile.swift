/// A smart playlist as a file: Navidrome's `.nsp` format, JSON with a name, a comment and rules.
public struct SmartPlaylistFile: Codable, Sendable, Equatable {
    /// The name; nil if the file's name is the playlist's.
    public var name: String?
    /// The description.
    public var comment: String?
    /// Whether all accounts see it.
    public var isPublic: Bool?
    /// The rules.
    public var rules: SmartRules

    /// Memberwise initializer.
    public init(name: String?, comment: String?, isPublic: Bool? = nil, rules: SmartRules) {
        self.name = name
        self.comment = comment
        self.isPublic = isPublic
        self.rules = rules
    }

    /// The keys of the JSON object.
    package static let keys = ["name", "comment", "public"] + SmartRules.keys

    /// Decodes a file.
    /// - Throws: ``SmartRulesError`` that names the wrong part, or a `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: SmartKey.self)
        name = try container.decodeIfPresent(String.self, forKey: SmartKey("name"))
        comment = try container.decodeIfPresent(String.self, forKey: SmartKey("comment"))
        isPublic = try container.decodeIfPresent(Bool.self, forKey: SmartKey("public"))
        rules = try SmartRules(in: container)
    }

    /// Encodes the keys that have a value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: SmartKey.self)
        try container.encodeIfPresent(name, forKey: SmartKey("name"))
        try container.encodeIfPresent(comment, forKey: SmartKey("comment"))
        try container.encodeIfPresent(isPublic, forKey: SmartKey("public"))
        try rules.encode(in: &container)
    }
}
