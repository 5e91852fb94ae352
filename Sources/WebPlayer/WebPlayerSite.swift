internal import FileSystem
internal import Foundation
internal import Synchronization

/// The files of the web player, in one folder.
///
/// Files are read on the first request and again after a change on disk, so developers only need to reload the page.
package final class WebPlayerSite: Sendable {
    /// The page itself.
    package static let indexPath = "index.html"
    /// The list of all files and their version, generated from the folder.
    static let releasePath = "files.json"
    /// The service worker, which stores the page in the browser. It begins with the version, so that browsers detect each new one.
    static let workerPath = "service-worker.js"
    /// Prefix of the paths of files whose names contain a hash of their content (scripts/build-page).
    private static let hashedPrefix = "hashed/"
    /// Maximum size of a served file in bytes. The web player's own files are far smaller.
    private static let largestFile = 8 << 20

    /// The folder that holds the files.
    package let folder: String

    private let files = Mutex<[String: (version: FileStatus.Version, file: WebPlayerFile)]>([:])

    /// - Parameter folder: the folder with the web player's files.
    /// - Throws: ``WebPlayerError`` if it has no page.
    package init(folder: String) throws(WebPlayerError) {
        self.folder = folder
        guard FileManager.default.isReadableFile(atPath: "\(folder)/\(Self.indexPath)") else {
            throw WebPlayerError(folder, "no web player in this folder (\(Self.indexPath) is missing)")
        }
    }

    /// Returns the web player installed with the program: next to the executable (SwiftPM) or in `share` (installation).
    ///
    /// `Bundle.module` would terminate the program if the files are missing; the host also works without a web player.
    /// - Returns: nil if it is not installed.
    package static func installed() -> WebPlayerSite? {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        else { return nil }
        let folder = URL(filePath: program).deletingLastPathComponent()
        let places = [
            folder.appending(path: "audio-companion_WebPlayer.resources/Site"),
            folder.deletingLastPathComponent().appending(path: "share/audio-companion/player"),
        ]
        return places.lazy.compactMap { try? WebPlayerSite(folder: $0.path(percentEncoded: false)) }.first
    }

    /// Returns whether a file's content never changes, so that browsers need not ask for it again.
    /// - Parameter path: the path below the folder.
    package static func isImmutable(_ path: String) -> Bool { path.hasPrefix(hashedPrefix) }

    /// Returns a file of the web player.
    /// - Parameter path: the path below the folder, with `/` as separator, as requested by the browser.
    /// - Returns: nil if there is no such file or its type is not served.
    package func file(_ path: String) -> WebPlayerFile? {
        switch path {
        case Self.releasePath: return release().file
        case Self.workerPath: return storedFile(path).map { release().marking($0) }
        default: return storedFile(path)
        }
    }

    /// Returns all files and their common version.
    private func release() -> WebPlayerRelease {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return WebPlayerRelease(
            files: paths.sorted().compactMap { path in
                storedFile(path).map { (path: path, identity: $0.identity) }
            })
    }

    /// Returns a file of the folder, unchanged; nil if it is missing, too large or of a type that is not served.
    private func storedFile(_ path: String) -> WebPlayerFile? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        // Reject paths that leave the folder, and hidden files.
        guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("\0") }),
            let type = WebPlayerFile.mediaType(of: path)
        else { return nil }
        let full = "\(folder)/\(path)"
        guard let version = Self.version(of: full) else { return nil }
        if let known = files.withLock({ $0[path] }), known.version == version { return known.file }
        guard let data = FileManager.default.contents(atPath: full) else { return nil }
        let file = WebPlayerFile(bytes: [UInt8](data), mediaType: type)
        files.withLock { $0[path] = (version, file) }
        return file
    }

    private static func version(of path: String) -> FileStatus.Version? {
        guard let status = try? Files.status(of: path), status.kind == .file, status.byteCount <= largestFile
        else { return nil }
        return status.version
    }
}
