import Foundation
import TestSupport
import Testing

/// The corpora created by the scripts in `data/`, once per run.
enum Corpora {
    private static let directory = Result { try RunDirectory() }
    private static let demoLibrary = Result { try make("make-demo-library", "demo") }
    private static let badFiles = Result { try make("make-bad-files", "bad") }

    /// The demo library with `truth.json`.
    static func demo() throws -> String { try demoLibrary.get() }

    /// Files that a pass must survive, with `expected.json`.
    static func bad() throws -> String { try badFiles.get() }

    private static func make(_ script: String, _ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let out = try directory.get().path + "/" + name
        try ProcessRun.run(root.appending(path: "data/\(script)").path(percentEncoded: false), [out])
        return out
    }

    /// A folder that is removed when the tests end.
    static func folder(_ name: String) throws -> String { try directory.get().path + "/" + name }

    /// Decodes a JSON file of a corpus.
    static func json<Value>(_ path: String, as type: Value.Type) throws -> Value {
        try #require(JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path))) as? Value)
    }
}

/// A folder that is removed when the tests end.
private struct RunDirectory: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "end-to-end-\(getpid())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        atexit {
            let path = NSTemporaryDirectory() + "end-to-end-\(getpid())"
            _ = try? ProcessRun.run("chmod", ["-R", "u+rwX", path])
            _ = try? ProcessRun.run("rm", ["-rf", path])
        }
    }
}
