import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// Paths that are not files, and files that change while mapped.
@Suite("Mapped file")
struct MappedFileTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = try directory.write([UInt8](repeating: 7, count: 100_000), as: "a")
    }

    private func sum(_ file: MappedFile) -> Int {
        file.withBytes { bytes in bytes.withUnsafeBytes { $0.reduce(0) { $0 + Int($1) } } }
    }

    @Test("An unchanged file is read correctly, even after its memory was released")
    func unchanged() throws {
        let file = try MappedFile(path: Array(path.utf8))
        #expect(sum(file) == 700_000)
        file.release(before: 60_000)
        #expect(sum(file) == 700_000)
        try file.verifyUnchanged()
    }

    @Test(
        "The missing part of a truncated file reads as zeros and is reported",
        arguments: [0, 10, 4096, 50_000])
    func cut(size: Int) throws {
        let file = try MappedFile(path: Array(path.utf8))
        truncate(path, size)
        #expect(sum(file) == 7 * size)
        let error = #expect(throws: AnalyzerError.self) { try file.verifyUnchanged() }
        #expect(error?.code == .fileChanged)
    }

    @Test("Zeros from missing pages are reported even if size and time are unchanged")
    func madeWholeAgain() throws {
        let file = try MappedFile(path: Array(path.utf8))
        var status = stat()
        #expect(stat(path, &status) == 0)
        truncate(path, 0)
        _ = sum(file)
        truncate(path, 100_000)
        let times = [status.st_atim, status.st_mtim]
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
        let error = #expect(throws: AnalyzerError.self) { try file.verifyUnchanged() }
        #expect(error?.code == .fileUnreadable)
    }

    @Test("A file that grew or was touched is reported")
    func grown() throws {
        let file = try MappedFile(path: Array(path.utf8))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([1]))
        #expect(throws: AnalyzerError.self) { try file.verifyUnchanged() }
    }

    @Test("Many files are guarded at once and independently")
    func many() throws {
        var files: [MappedFile] = []
        for number in 0..<40 {
            let path = try directory.write([UInt8](repeating: 1, count: 8192), as: "\(number)")
            files.append(try MappedFile(path: Array(path.utf8)))
            if number % 2 == 0 { truncate(path, 0) }
        }
        for (number, file) in files.enumerated() { #expect(sum(file) == (number % 2 == 0 ? 0 : 8192)) }
    }

    @Test("Paths that cannot be mapped are rejected with the reason")
    func refused() throws {
        func code(_ path: String) -> AnalyzerError.Code? {
            do throws(AnalyzerError) {
                _ = try MappedFile(path: Array(path.utf8))
                return nil
            } catch { return error.code }
        }
        #expect(code(directory.file("nowhere")) == .fileVanished)
        #expect(code(directory.path) == .notARegularFile)
        #expect(code("/dev/null") == .notARegularFile)
        #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
        #expect(code(directory.file("pipe")) == .notARegularFile)
        let empty = try directory.write([], as: "empty")
        #expect(sum(try MappedFile(path: Array(empty.utf8))) == 0)
    }
}
