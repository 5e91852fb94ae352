internal import Foundation

/// Runs the sqlite3 command-line tool, as an independent reader and writer of databases.
/// - Returns: its exit status and output, with errors at the end.
@discardableResult
public func sqlite3Tool(_ arguments: String...) throws -> (status: Int32, output: String) {
    let run = try ProcessRun.run("sqlite3", ["-batch"] + arguments, mustSucceed: false)
    return (run.status, run.text + String(decoding: run.errors, as: UTF8.self))
}
