package import Analyzer
internal import FileSystem
internal import Foundation
internal import HTTPClient
internal import LibraryStore
package import MusicFiles

/// Makes the plan of a run from a folder or from a list of files.
package struct BatchPlanner {
    /// Number of tracks of a part: some minutes of work for one core.
    package static let standardPartSize = 300
    /// Maximum number of tracks of a part, whose results are in memory until it is complete.
    package static let largestPartSize = 10_000

    /// Number of tracks of a part.
    package var partSize = standardPartSize
    /// The parts of the analyses to compute.
    package var parts = AnalysisParts.all
    /// Maximum number of tracks; nil for all.
    package var limit: Int?
    /// Number of tracks to choose at random from all of them; nil for all.
    package var sample: Int?
    /// The tracks to leave out; nil plans all.
    package var known: KnownTracks?

    /// Creates a planner that plans everything.
    package init() {}

    /// A summary of a plan.
    package struct Summary: Sendable, Equatable, Encodable {
        /// Number of tracks in the plan.
        package var trackCount = 0
        /// Number of parts.
        package var partCount = 0
        /// Tracks that the library knows.
        package var knownCount = 0
        /// Files and folders that cannot be read or used, with the reason.
        package var problems: [String] = []

        private enum CodingKeys: String, CodingKey {
            case problems
            case trackCount = "tracks"
            case partCount = "parts"
            case knownCount = "known"
        }
    }

    /// Plans all music files in a folder.
    /// - Throws: `BatchError` if the run's folder cannot be used; `DatabaseError` if the plan cannot be written.
    package func plan(_ music: MusicFolder, to run: BatchRun) throws -> Summary {
        try plan(root: .folder(music.pathBytes == [UInt8(ascii: "/")] ? [] : music.pathBytes), to: run) {
            plan in
            music.visit(isCancelled: { plan.isFull }) { contents in
                for (path, reason) in contents.unreadable { plan.note("\(path): cannot be read: \(reason)") }
                if let reason = contents.failure {
                    plan.note("\(music.displayPath): cannot be read: \(reason)")
                }
                for entry in contents.entries { plan.add(PlannedTrack(path: entry.path, file: entry.file)) }
            }
        }
    }

    /// Plans the files of a list: one absolute path, `file:` address, or path relative to the root per line. Empty lines and
    /// those that start with `#` are skipped. Missing files are planned too: their part reports them.
    /// - Parameters:
    ///   - folder: the folder that the library's paths are relative to, as in ``TrackRoot/folder(_:)``.
    ///   - file: the list's path.
    package func plan(list file: String, folder: [UInt8], to run: BatchRun) throws -> Summary {
        guard let lines = FileHandle(forReadingAtPath: file) else {
            throw BatchError(.source, "cannot be opened", place: file)
        }
        defer { try? lines.close() }
        let root = TrackRoot.folder(folder)
        return try plan(root: root, to: run) { plan in
            try Self.forEachLine(lines) { line in
                guard let track = Self.track(line, folder) else {
                    return plan.note("\(line): is not in \(root.text)")
                }
                plan.add(track)
            } isDone: {
                plan.isFull
            }
        }
    }

    /// Plans the music among the objects of a bucket whose keys start with a prefix. The service and the credentials are those of
    /// the environment variables.
    /// - Throws: `ObjectStoreError` if the bucket cannot be listed, and as for a folder.
    package func plan(bucket: String, prefix: String, to run: BatchRun) throws -> Summary {
        try plan(root: .bucket(bucket, prefix: prefix), to: run) { plan in
            try ObjectStore.ofEnvironment().list(bucket: bucket, prefix: prefix) { objects in
                for object in objects { add(object, prefix: prefix, to: plan) }
                // Keys are sorted, and sheets may follow the files that they divide.
                return !plan.isFull || objects.last.map { plan.mayNeed(prefix: prefix, key: $0.key) } ?? true
            }
        }
    }

    private func add(_ object: StoredObject, prefix: String, to plan: Collection) {
        let bytes = Array(object.key.utf8.dropFirst(prefix.utf8.count))
        let name = bytes.lastIndex(of: UInt8(ascii: "/")).map { Array(bytes[($0 + 1)...]) } ?? bytes
        let isSheet = FolderCueSheets.isSheet(named: name)
        guard isSheet || MusicFolder.isMusicFile(named: name) else { return }
        guard let path = RelativePath(bytes: bytes) else {
            return plan.note("\(object.key): the key is no path of a file")
        }
        let file = FileState(
            size: object.byteCount, modificationTimeNanoseconds: object.modificationNanoseconds)
        let entityTag = object.entityTag.isEmpty ? nil : object.entityTag
        if isSheet {
            plan.add(PlannedSheet(path: path, file: file, entityTag: entityTag))
        } else {
            plan.addDivisible(path)
            plan.add(PlannedTrack(path: path, file: file, entityTag: entityTag))
        }
    }

    private func plan(root: TrackRoot, to run: BatchRun, _ collect: (Collection) throws -> Void) throws
        -> Summary
    {
        let writer = try BatchPlanWriter(run, sample: sample)
        let plan = Collection(self, writer)
        try collect(plan)
        if let failure = plan.failure { throw failure }
        plan.summary.trackCount = try writer.finish(root: root, parts: parts, partSize: partSize)
        plan.summary.partCount = (plan.summary.trackCount + partSize - 1) / partSize
        return plan.summary
    }

    private static func track(_ line: String, _ folder: [UInt8]) -> PlannedTrack? {
        var text = line
        if line.hasPrefix("file:") {
            guard let path = URL(string: line)?.path(percentEncoded: false) else { return nil }
            text = path
        }
        var bytes = Array(text.utf8)
        let start = folder + [UInt8(ascii: "/")]
        if text.hasPrefix("/") {
            guard bytes.starts(with: start) else { return nil }
            bytes.removeFirst(start.count)
        }
        guard let path = RelativePath(bytes: bytes) else { return nil }
        let status = try? Files.status(of: start + bytes)
        return PlannedTrack(
            path: path,
            file: status.map { FileState($0) } ?? FileState(size: 0, modificationTimeNanoseconds: 0))
    }

    private static func forEachLine(
        _ file: FileHandle, _ body: (String) throws -> Void, isDone: () -> Bool
    ) throws {
        /// Longer than any path of Linux, percent-encoded.
        let longestLine = 1 << 16
        var rest: [UInt8] = []
        func finish(_ line: ArraySlice<UInt8>) throws {
            let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
            if !text.isEmpty, !text.hasPrefix("#") { try body(text) }
        }
        while !isDone(), let block = try file.read(upToCount: longestLine), !block.isEmpty {
            rest += block
            var start = 0
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                try finish(rest[start..<end])
                start = end + 1
            }
            rest.removeFirst(start)
            guard rest.count < longestLine else {
                throw BatchError(.source, "the list has a line of more than 64 KiB")
            }
        }
        try finish(rest[...])
    }
}

extension BatchPlanner {
    /// The tracks found so far. Errors are kept until the end, since a scan of a folder does not throw.
    fileprivate final class Collection {
        var summary = Summary()
        private(set) var failure: (any Error)?
        private let planner: BatchPlanner
        private let writer: BatchPlanWriter
        private var count = 0
        private var last: RelativePath?

        /// Maximum number of problems that are listed.
        private static let problemLimit = 1_000

        init(_ planner: BatchPlanner, _ writer: BatchPlanWriter) {
            self.planner = planner
            self.writer = writer
        }

        var isFull: Bool { failure != nil || planner.limit.map { count >= $0 } ?? false }

        func note(_ problem: String) {
            if summary.problems.count < Self.problemLimit { summary.problems.append(problem) }
        }

        func add(_ track: PlannedTrack) {
            guard !isFull else { return }
            do {
                if try planner.known?.contains(track, parts: planner.parts) == true {
                    summary.knownCount += 1
                    return
                }
                try writer.add(track)
                count += 1
                last = track.path
            } catch {
                failure = error
            }
        }

        func add(_ sheet: PlannedSheet) { write { try writer.add(sheet) } }

        func addDivisible(_ path: RelativePath) {
            if FolderCueSheets.canDivide(path) { write { try writer.addDivisible(path) } }
        }

        /// Whether the objects after a key may be cue sheets of the last track's folder, or of those around it.
        func mayNeed(prefix: String, key: String) -> Bool {
            guard failure == nil, let top = last?.text.split(separator: "/").dropLast().first else {
                return false
            }
            return key.hasPrefix("\(prefix)\(top)/")
        }

        private func write(_ body: () throws -> Void) {
            guard failure == nil else { return }
            do { try body() } catch { failure = error }
        }
    }
}
