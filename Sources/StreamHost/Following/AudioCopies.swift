internal import Analyzer
internal import FileSystem
internal import Foundation
internal import LibraryStore
internal import MusicFiles
internal import MusicShared
internal import Synchronization
internal import Threads

/// The music files of a follower: the primary's own in a shared folder, or copies of those that were played, under the same paths.
///
/// A copy has the size, the modification time and the audio hash that the library states; anything else is not used.
final class AudioCopies: Sendable {
    /// Maximum number of files fetched at a time; further ones are fetched when they are requested again.
    private static let parallelFetches = 3

    private struct State {
        var fetching: Set<Int> = []
        /// Times of use on the monotonic clock, by path.
        var used: [[UInt8]: Double] = [:]
        var byteCount: Int?
    }

    private let music: MusicFolder
    private let library: LibraryStore
    private let following: Following
    private let folder: String
    private let complain: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameter folder: where files are while they are fetched; on the file system of the music folder.
    init(
        music: MusicFolder, library: LibraryStore, following: Following, folder: String,
        complain: @escaping @Sendable (String) -> Void
    ) {
        self.music = music
        self.library = library
        self.following = following
        self.folder = folder
        self.complain = complain
    }

    /// Bytes of all copies; nil for a shared folder.
    var byteCount: Int? {
        following.sharesMusic
            ? nil : state.withLock { $0.byteCount } ?? entries().reduce(0) { $0 + $1.byteCount }
    }

    /// Whether the file of a track is here, as the library knows it. If not, it is fetched meanwhile.
    func hasFile(ofTrack id: Int) throws -> Bool {
        guard let track = try library.track(id: id)?.track else {
            // Let the route answer that the track does not exist.
            return true
        }
        let path = music.absolutePath(of: track.path.audioFile)
        if let status = try? Files.status(of: path), status.byteCount == track.file.size,
            status.modificationNanoseconds == track.file.modificationTimeNanoseconds
        {
            state.withLock { $0.used[path] = ProcessInfo.processInfo.systemUptime }
            return true
        }
        // The primary serves a part of a file as a file of its own, from which the whole cannot be made.
        if !following.sharesMusic, track.path.sheetTrack == nil { fetch(track) }
        return false
    }

    private func fetch(_ track: CatalogueTrack) {
        let isFree = state.withLock { state in
            guard state.fetching.count < Self.parallelFetches else { return false }
            return state.fetching.insert(track.id).inserted
        }
        guard isFree else { return }
        let started = DedicatedThread.start("audio copy") { [self] in
            do { try store(track) } catch {
                complain("the file of track \(track.id) cannot be copied: \(error)")
            }
            state.withLock { _ = $0.fetching.remove(track.id) }
        }
        if !started { state.withLock { _ = $0.fetching.remove(track.id) } }
    }

    /// Fetches a file, checks it, and moves it to its place.
    private func store(_ track: CatalogueTrack) throws {
        try? Files.makeFolder(folder, permissions: 0o700)
        let part = "\(folder)/\(track.id)"
        defer { try? Files.remove(part) }
        let target = Routes.file.replacing(":id", with: "\(track.id)") + "?v=\(track.audioHash)"
        try following.primary.download(target, to: part)
        guard try Files.status(of: part).byteCount == track.file.size,
            try AudioIdentity(of: MappedFile(path: Array(part.utf8))).audioHash == track.audioHash
        else {
            throw PrimaryHost.Failure(description: "the primary sent other audio than its library states")
        }
        let path = music.absolutePath(of: track.path)
        let copied = try FileDescriptor.open(part, for: .readAndWrite, .noLink)
        let time = track.file.modificationTimeNanoseconds
        try copied.setTimes(accessNanoseconds: time, modificationNanoseconds: time)
        if let parent = track.path.folder { try makeFolder(parent) }
        try Files.rename(Array(part.utf8), to: path)
        let now = ProcessInfo.processInfo.systemUptime
        let known = state.withLock { state -> Int? in
            state.used[path] = now
            return state.byteCount
        }
        let total = known.map { $0 + track.file.size } ?? entries().reduce(0) { $0 + $1.byteCount }
        let left = total > following.audioCacheBytes ? evict(keeping: path) : total
        state.withLock { $0.byteCount = left }
    }

    private func makeFolder(_ path: RelativePath) throws {
        if let parent = path.folder { try makeFolder(parent) }
        do throws(SystemError) {
            try Files.makeFolder(music.absolutePath(of: path), permissions: 0o700)
        } catch  where error.kind == .alreadyExists {}
    }

    private struct Entry {
        let path: [UInt8]
        let byteCount: Int
    }

    private func entries() -> [Entry] {
        let root = URL(filePath: music.displayPath)
        let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        var entries: [Entry] = []
        while let url = found?.nextObject() as? URL {
            let path = Array(url.path(percentEncoded: false).utf8)
            guard let status = try? Files.status(of: path, followsLinks: false), status.kind == .file else {
                continue
            }
            entries.append(Entry(path: path, byteCount: status.byteCount))
        }
        return entries
    }

    /// Deletes the least recently used copies, down to 90 % of the limit. Running responses keep theirs open.
    private func evict(keeping newest: [UInt8]) -> Int {
        let used = state.withLock(\.used)
        var total = 0
        let entries = entries().sorted { used[$0.path] ?? 0 < used[$1.path] ?? 0 }
        for entry in entries { total += entry.byteCount }
        for entry in entries where entry.path != newest {
            guard total > following.audioCacheBytes / 10 * 9 else { break }
            guard (try? Files.remove(entry.path)) != nil else { continue }
            total -= entry.byteCount
            state.withLock { $0.used[entry.path] = nil }
        }
        return total
    }
}
