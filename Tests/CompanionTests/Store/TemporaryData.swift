import Companion
import Foundation

/// A data folder of a test's own, deleted when the last reference goes away.
final class TemporaryData: Sendable {
    let folder: DataFolder

    init() throws {
        folder = try DataFolder(path: NSTemporaryDirectory() + "store-tests-" + UUID().uuidString)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.path) }
}

/// Runs the sqlite3 command-line tool, as an independent reader and writer, and returns its output.
func sqlite3Tool(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-batch"] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
}
