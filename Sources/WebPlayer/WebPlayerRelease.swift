internal import Foundation

/// The files of the page and their common version. The service worker stores all files of one version or none.
struct WebPlayerRelease: Encodable {
    /// A hash of the content of all files.
    let version: String
    /// The addresses of the files, the page itself first.
    let files: [String]

    /// - Parameter files: path below the site's folder and ``WebPlayerFile/identity`` of each file, in a fixed order.
    init(files: [(path: String, identity: String)]) {
        let text = files.map { "\($0.path) \($0.identity)\n" }.joined()
        version = WebPlayerFile(bytes: Array(text.utf8), mediaType: "text/plain").identity
        // The page itself is at "/"; browsers store the worker themselves.
        let own = [WebPlayerSite.indexPath, WebPlayerSite.workerPath]
        self.files = ["/"] + files.map(\.path).filter { !own.contains($0) }.map { "/player/\($0)" }
    }

    /// The list as JSON.
    var file: WebPlayerFile? {
        guard let data = try? JSONEncoder().encode(self) else { return nil }
        return WebPlayerFile(bytes: [UInt8](data), mediaType: "application/json")
    }

    /// Prepends the version to the service worker's script, so that browsers detect each new version.
    func marking(_ script: WebPlayerFile) -> WebPlayerFile {
        WebPlayerFile(
            bytes: Array("const VERSION = '\(version)';\n".utf8) + script.bytes, mediaType: script.mediaType)
    }
}
