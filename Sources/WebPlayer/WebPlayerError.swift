/// An error that prevents the web player from being served.
package struct WebPlayerError: Error, CustomStringConvertible {
    /// The folder that is missing or has no web player.
    package let path: String
    /// The folder and the problem, for the user.
    package let description: String

    init(_ path: String, _ message: String) {
        self.path = path
        description = "\(path): \(message)"
    }
}
