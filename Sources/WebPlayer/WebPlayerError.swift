/// An error that prevents the web player from being served.
public struct WebPlayerError: Error, CustomStringConvertible {
    /// The folder that is missing or has no web player.
    public let path: String
    /// The folder and the problem, for the user.
    public let description: String

    init(_ path: String, _ message: String) {
        self.path = path
        description = "\(path): \(message)"
    }
}
