/// What keeps the player's page from being served.
public struct WebPlayerError: Error, CustomStringConvertible {
    /// The folder that is missing or is no site.
    public let path: String
    /// What is wrong, for the owner.
    public let description: String

    init(_ path: String, _ message: String) {
        self.path = path
        description = "\(path): \(message)"
    }
}
