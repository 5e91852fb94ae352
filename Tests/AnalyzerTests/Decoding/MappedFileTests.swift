import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// Files that are no files, or change under the mapping.
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

    @Test("An untouched file is as it was, also after its memory was given back")
    func unchanged() throws {
        let file = try MappedFile(path: Array(path.utf8))
        #expect(sum(file) == 700_000)
        file.release(before: 60_000)
        #expect(sum(file) == 700_000)
        try file.verifyUnchanged()
    }

    @Test(
        "What is missing of a file that was cut reads as zeros, and is told",
        arguments: [0, 10, 4096, 50_000])
    func cut(size: Int) throws {
        let file = try MappedFile(path: Array(path.utf8))
        truncate(path, size)
        #expect(sum(file) == 7 * size)
        let error = #expect(throws: AnalyzerError.self) { try file.verifyUnchanged() }
        #expect(error?.code == .fileChanged)
    }

    @Test("Zeros that stood for missing pages are told of even where size and time are as before")
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

    @Test("A file that grew or was touched is told of")
    func grown() throws {
        let file = try MappedFile(path: Array(path.utf8))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([1]))
        #expect(throws: AnalyzerError.self) { try file.verifyUnchanged() }
    }

    @Test("Many files are guarded at once, each on its own")
    func many() throws {
        var files: [MappedFile] = []
        for number in 0..<40 {
            let path = try directory.write([UInt8](repeating: 1, count: 8192), as: "\(number)")
            files.append(try MappedFile(path: Array(path.utf8)))
            if number % 2 == 0 { truncate(path, 0) }
        }
        for (number, file) in files.enumerated() { #expect(sum(file) == (number % 2 == 0 ? 0 : 8192)) }
    }

    @Test("What cannot be mapped is refused with its reason")
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
