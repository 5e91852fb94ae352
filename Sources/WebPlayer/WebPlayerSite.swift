internal import Foundation
internal import Synchronization

/// The files of the player's page, below one folder.
///
/// A file is read when it is first asked for, and again once it has changed on disk: whoever works on the page only reloads it.
public final class WebPlayerSite: Sendable {
    /// The page itself.
    public static let indexPath = "index.html"
    /// The largest file that is handed out, in bytes. The site's own are far smaller.
    private static let largestFile = 8 << 20

    /// The folder that holds the files.
    public let folder: String

    /// What a file was when it was read.
    private struct State: Equatable {
        let modifiedSeconds: Int
        let modifiedNanoseconds: Int
        let byteCount: Int
        let number: UInt64
    }

    private let files = Mutex<[String: (state: State, file: WebPlayerFile)]>([:])

    /// Takes a folder that holds the site.
    /// - Throws: ``WebPlayerError`` where it has no page.
    public init(folder: String) throws(WebPlayerError) {
        self.folder = folder
        guard FileManager.default.isReadableFile(atPath: "\(folder)/\(Self.indexPath)") else {
            throw WebPlayerError(folder, "no web player here: there is no \(Self.indexPath)")
        }
    }

    /// The site that came with the program: SwiftPM puts it beside the executable, an installation into `share`.
    ///
    /// `Bundle.module` would end the program where the files are not in place; a host without a page is still a host.
    /// - Returns: nil where there is none.
    public static func installed() -> WebPlayerSite? {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        else { return nil }
        let folder = URL(filePath: program).deletingLastPathComponent()
        let places = [
            folder.appending(path: "audio-companion_WebPlayer.resources/Site"),
            folder.deletingLastPathComponent().appending(path: "share/audio-companion/player"),
        ]
        return places.lazy.compactMap { try? WebPlayerSite(folder: $0.path(percentEncoded: false)) }.first
    }

    /// A file of the site.
    /// - Parameter path: its path below the folder, with `/` between, as a browser sends it.
    /// - Returns: nil where there is no such file, or it is of a kind that a site does not have.
    public func file(_ path: String) -> WebPlayerFile? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        // Neither a way out of the folder nor anything hidden in it.
        guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("\0") }),
            let type = WebPlayerFile.mediaType(of: path)
        else { return nil }
        let full = "\(folder)/\(path)"
        guard let state = Self.state(of: full) else { return nil }
        if let known = files.withLock({ $0[path] }), known.state == state { return known.file }
        guard let data = FileManager.default.contents(atPath: full) else { return nil }
        let file = WebPlayerFile(bytes: [UInt8](data), mediaType: type)
        files.withLock { $0[path] = (state, file) }
        return file
    }

    private static func state(of path: String) -> State? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= largestFile
        else { return nil }
        return State(
            modifiedSeconds: status.st_mtim.tv_sec, modifiedNanoseconds: status.st_mtim.tv_nsec,
            byteCount: Int(status.st_size), number: UInt64(status.st_ino))
    }
}
