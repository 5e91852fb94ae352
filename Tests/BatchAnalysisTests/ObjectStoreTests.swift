import FileSystem
import Foundation
import HTTPClient
import TestSupport
import Testing

/// Reading and writing buckets of a server that verifies signatures.
@Suite("Object store")
struct ObjectStoreTests {
    /// Longer than two ranges.
    private static let large = 20_000_000
    private static let oddName = "ä b+c&(1)'!~ =?#%25/🎵 \"x\" <y>.mp3"

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func serve(_ files: [(name: String, bytes: [UInt8])]) async throws -> BucketServer {
        try await BucketServer(
            folder: directory.makeFolder("files", of: files), bucket: "music", prefix: "a/")
    }

    private func store(
        _ server: BucketServer, port: Int? = nil, attempts: Int = 8,
        _ change: (inout [String: String]) -> Void = { _ in }
    ) -> ObjectStore {
        var environment = server.environment(port: port)
        change(&environment)
        return ObjectStore(
            ObjectStoreSettings(environment: environment), userAgent: "test", attempts: attempts)
    }

    private func objects(_ store: ObjectStore, prefix: String = "a/") throws -> [StoredObject] {
        var found: [StoredObject] = []
        try store.list(bucket: "music", prefix: prefix) {
            found += $0
            return true
        }
        return found
    }

    private func read(
        _ store: ObjectStore, _ key: String, tag: String? = nil, count: Int
    ) throws -> (bytes: [UInt8], pieces: Int) {
        var bytes: [UInt8] = []
        var pieces = 0
        try store.read(bucket: "music", key: key, entityTag: tag, byteCount: count) {
            bytes += $0
            pieces += 1
        }
        return (bytes, pieces)
    }

    @Test("Objects are listed with size, version and time, and read in ranges, whatever their keys contain")
    func reading() async throws {
        var random = SeededGenerator(seed: 1)
        let bytes = (0..<Self.large).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let server = try await serve([
            (Self.oddName, Array("odd".utf8)), ("large.mp3", bytes), ("empty.mp3", []),
        ])
        let store = store(server)
        let found = try objects(store)
        #expect(found.map(\.key).sorted() == ["a/\(Self.oddName)", "a/empty.mp3", "a/large.mp3"].sorted())
        let large = try #require(found.first { $0.key == "a/large.mp3" })
        #expect(
            large.byteCount == Self.large && large.entityTag.hasPrefix("\"")
                && large.entityTag.hasSuffix("\""))
        #expect(abs(Double(large.modificationNanoseconds) / 1e9 - Date().timeIntervalSince1970) < 120)
        let whole = try read(store, large.key, tag: large.entityTag, count: large.byteCount)
        #expect(whole.bytes == bytes && whole.pieces == 3)
        #expect(try read(store, "a/\(Self.oddName)", count: 3).bytes == Array("odd".utf8))
        #expect(try read(store, "a/empty.mp3", count: 0).pieces == 0)
        #expect(try objects(store, prefix: "a/l").map(\.key) == ["a/large.mp3"])
    }

    @Test("More objects than a page holds are listed once each")
    func pages() async throws {
        let names = (0..<1_050).map { "\($0).mp3" }
        let server = try await serve(names.map { ($0, [1]) })
        let found = try objects(store(server)).map(\.key)
        #expect(found.count == 1_050 && Set(found) == Set(names.map { "a/\($0)" }))
        var pages = 0
        try store(server).list(bucket: "music", prefix: "a/") { _ in
            pages += 1
            return false
        }
        #expect(pages == 1)
    }

    @Test("Missing objects, other versions and wrong credentials are different errors, and not retried")
    func rejections() async throws {
        let server = try await serve([("x.mp3", [1, 2, 3])])
        let start = Date()
        for (key, tag, count, code) in [
            ("a/gone.mp3", nil, 3, ObjectStoreError.Code.notFound),
            ("a/x.mp3", "\"0123\"", 3, .changed), ("a/x.mp3", nil, 4, .changed),
        ] {
            #expect { try read(store(server), key, tag: tag, count: count) } throws: {
                ($0 as? ObjectStoreError)?.code == code
            }
        }
        let forged = store(server) { $0["AWS_SECRET_ACCESS_KEY"] = "wrong" }
        #expect { try objects(forged) } throws: {
            let error = $0 as? ObjectStoreError
            return error?.code == .rejected && error?.description.hasPrefix("SignatureDoesNotMatch") == true
        }
        #expect(Date().timeIntervalSince(start) < 30)
    }

    @Test("Requests are repeated when the service fails for a while, and given up after the last attempt")
    func repetition() async throws {
        let bytes = [UInt8](repeating: 7, count: 300_000)
        let server = try await serve([("x.mp3", bytes)])
        let proxy = try FaultProxy(before: server.port)
        defer { proxy.quit() }
        let store = store(server, port: proxy.port)
        for fault in [
            #"{"match": "/music/", "status": 503, "times": 2}"#,
            #"{"match": "/music/", "cut_after": 1000, "times": 2}"#,
            #"{"match": "/music/", "refuse": true, "times": 2}"#,
        ] {
            try await set([fault], proxy)
            #expect(try read(store, "a/x.mp3", count: bytes.count).bytes == bytes, "\(fault)")
        }
        try await set([#"{"match": "/music/", "status": 503, "times": 100}"#], proxy)
        let hasty = self.store(server, port: proxy.port, attempts: 2)
        #expect { try read(hasty, "a/x.mp3", count: bytes.count) } throws: {
            ($0 as? ObjectStoreError)?.code == .unavailable
        }
    }

    private func random(_ count: Int) -> [UInt8] {
        var random = SeededGenerator(seed: 2)
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    private func write(_ bytes: [UInt8], to store: ObjectStore, _ key: String) throws {
        try directory.write(bytes, as: "source")
        try store.write(FileDescriptor.open(directory.file("source")), bucket: "music", key: key)
    }

    @Test("Files of any size are stored under any key, replace each other, and are read again")
    func writing() async throws {
        let server = try await serve([("x.mp3", [1])])
        let store = store(server)
        for (key, bytes) in [
            ("runs/empty", []), ("runs/\(Self.oddName)", [1, 2, 3]), ("runs/large", random(Self.large)),
            ("runs/large", random(5)),
        ] {
            try write(bytes, to: store, key)
            let object = try #require(try store.object(bucket: "music", key: key))
            #expect(object.key == key && object.byteCount == bytes.count)
            #expect(try read(store, key, tag: object.entityTag, count: bytes.count).bytes == bytes)
            if bytes.isEmpty { continue }
            let end = try store.read(
                1..<bytes.count, ofObject: key, bucket: "music", entityTag: object.entityTag,
                byteCount: bytes.count)
            #expect(end == Array(bytes[1...]))
        }
        #expect(try store.content(bucket: "music", key: "runs/large", limit: 100) == random(5))
        #expect(try store.content(bucket: "music", key: "runs/empty", limit: 100) == [])
        // "runs/large" starts with it.
        for key in ["runs/l", "gone"] {
            #expect(try store.object(bucket: "music", key: key) == nil)
            #expect(try store.content(bucket: "music", key: key, limit: 100) == nil)
        }
        #expect { try store.content(bucket: "none", key: "x", limit: 100) } throws: {
            ($0 as? ObjectStoreError)?.isMissingBucket == true
        }
    }

    @Test(
        "Writing needs the right credentials and a bucket, and is repeated when the service fails for a while"
    )
    func writingAgain() async throws {
        let server = try await serve([("x.mp3", [1])])
        let proxy = try FaultProxy(before: server.port)
        defer { proxy.quit() }
        let bytes = random(3_000_000)
        let forged = store(server) { $0["AWS_SECRET_ACCESS_KEY"] = "wrong" }
        #expect { try write(bytes, to: forged, "runs/1") } throws: {
            ($0 as? ObjectStoreError)?.code == .rejected
        }
        #expect(try objects(store(server), prefix: "runs/").isEmpty)
        #expect {
            try store(server).write(FileDescriptor.open(directory.file("source")), bucket: "none", key: "x")
        } throws: {
            ($0 as? ObjectStoreError)?.isMissingBucket == true
        }
        let through = store(server, port: proxy.port)
        for fault in [
            #"{"match": "/music/", "status": 503, "times": 2}"#,
            #"{"match": "/music/", "refuse": true, "times": 2}"#,
        ] {
            try await set([fault], proxy)
            try write(bytes, to: through, "runs/2")
            #expect(try read(store(server), "runs/2", count: bytes.count).bytes == bytes, "\(fault)")
        }
    }

    private func set(_ faults: [String], _ proxy: FaultProxy) async throws {
        _ = try await ProcessRun.aside(
            "curl",
            [
                "-sf", "-X", "POST", "-H", "Content-Type: application/json", "-d",
                "[\(faults.joined(separator: ","))]", "http://127.0.0.1:\(proxy.port)/__proxy/faults",
            ])
    }
}
