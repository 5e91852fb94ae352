internal import FileSystem
internal import Foundation
internal import HTTPClient
internal import SQLiteDatabase
internal import Synchronization
internal import Threads

/// A run in a bucket. The service and the credentials are those of the environment variables.
struct RunBucket: RunStorage {
    private let store: ObjectStore
    private let bucket: String
    private let prefix: String

    /// Maximum number of small files that are fetched at once.
    private static let fetches = 16
    /// Maximum size of a small file, in bytes.
    private static let smallFileLimit = 1 << 20

    /// - Parameter prefix: empty, or ends with a slash.
    init(_ store: ObjectStore, bucket: String, prefix: String) {
        self.store = store
        self.bucket = bucket
        self.prefix = prefix
    }

    var place: String { String(TrackRoot.bucket(bucket, prefix: prefix).text.dropLast()) }

    var scratchFolder: String { FileManager.default.temporaryDirectory.path(percentEncoded: false) }

    func hasFile(_ name: String) throws -> Bool { try object(name) != nil }

    func existing(_ names: [String]) throws -> Set<String> {
        let wanted = Set(names)
        var found: Set<String> = []
        try explaining("parts") {
            try store.list(bucket: bucket, prefix: "\(prefix)parts/") { objects in
                for object in objects {
                    let name = String(object.key.dropFirst(prefix.count))
                    if wanted.contains(name) { found.insert(name) }
                }
                return true
            }
        }
        return found
    }

    func contents(of names: [String]) throws -> [String: [UInt8]] {
        let work = Turnstile(
            (left: names[...], found: [String: [UInt8]](), running: 0, failure: nil as (any Error)?))
        for _ in 0..<min(Self.fetches, names.count) {
            work.change { $0.running += 1 }
            let isStarted = DedicatedThread.start("run file") {
                while let name = work.change({ $0.failure == nil ? $0.left.popFirst() : nil }) {
                    do {
                        let content = try content(name)
                        work.change { $0.found[name] = content }
                    } catch {
                        work.change { $0.failure = error }
                    }
                }
                work.change { $0.running -= 1 }
            }
            if !isStarted {
                work.change {
                    $0.running -= 1
                    $0.failure = ThreadError()
                }
            }
        }
        return try work.wait { state throws in
            guard state.running == 0 else { return nil }
            if let failure = state.failure { throw failure }
            return state.found
        } ?? [:]
    }

    /// Returns the content of a small file; nil if it does not exist.
    private func content(_ name: String) throws -> [UInt8]? {
        try explaining(name) {
            try store.content(bucket: bucket, key: prefix + name, limit: Self.smallFileLimit)
        }
    }

    func read<Result>(database name: String, _ body: (Database) throws -> Result) throws -> Result? {
        guard let object = try object(name) else { return nil }
        let file = RemoteObject(object, store, bucket: bucket)
        do {
            return try body(Database(reading: file, path: address(name)))
        } catch {
            // SQLite knows only that it could not read.
            if let failure = file.failure { throw explained(failure, name) }
            throw error
        }
    }

    func local(_ name: String) throws -> LocalRunFile {
        guard let object = try object(name) else {
            throw BatchError(.run, "does not exist", place: address(name))
        }
        let path = "\(scratchFolder)/run-file-" + String(UInt64.random(in: .min ... .max), radix: 16)
        let file = try FileDescriptor.open(path, for: .readAndWrite, .createNew)
        let local = LocalRunFile(path: path, isCopy: true)
        try explaining(name) {
            try store.read(
                bucket: bucket, key: object.key, entityTag: object.entityTag, byteCount: object.byteCount
            ) { try file.write($0) }
        }
        return local
    }

    func store(_ file: borrowing FileDescriptor, as name: String) throws {
        do {
            try store.write(file, bucket: bucket, key: prefix + name)
        } catch let error as ObjectStoreError {
            throw explained(error, name)
        }
    }

    /// Nothing: an object that is not complete does not exist.
    func clean(folder: String, keeping names: [String]) {}

    func crashFile(_ name: String) throws -> CrashFile {
        let file = try FileDescriptor.openTemporary(in: scratchFolder)
        try file.write(try content(name) ?? [])
        return CrashFile(descriptor: file, path: nil)
    }

    private func object(_ name: String) throws -> StoredObject? {
        try explaining(name) { try store.object(bucket: bucket, key: prefix + name) }
    }

    private func address(_ name: String) -> String { "\(place)/\(name)" }

    private func explaining<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ObjectStoreError {
            throw explained(error, name)
        }
    }

    private func explained(_ error: ObjectStoreError, _ name: String) -> BatchError {
        BatchError(error.code == .cancelled ? .cancelled : .run, "\(error)", place: address(name))
    }
}

/// An object that is read as a database.
private final class RemoteObject: RemoteDatabaseFile {
    private let object: StoredObject
    private let store: ObjectStore
    private let bucket: String
    private let error = Mutex<ObjectStoreError?>(nil)

    init(_ object: StoredObject, _ store: ObjectStore, bucket: String) {
        self.object = object
        self.store = store
        self.bucket = bucket
    }

    var byteCount: Int { object.byteCount }

    /// Why the last read failed; nil if none has.
    var failure: ObjectStoreError? { error.withLock { $0 } }

    func read(_ range: Range<Int>) -> [UInt8]? {
        do throws(ObjectStoreError) {
            return try store.read(
                range, ofObject: object.key, bucket: bucket, entityTag: object.entityTag, byteCount: byteCount
            )
        } catch {
            self.error.withLock { $0 = error }
            return nil
        }
    }
}
