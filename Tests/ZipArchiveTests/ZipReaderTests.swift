import Foundation
import TestSupport
import Testing
import ZipArchive

/// Zips made by other programs, and files that are not zips.
@Suite("Zip reader")
struct ZipReaderTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Makes a zip with Python's standard library; `lines` are code that uses `z`, an open `ZipFile`.
    private func python(_ lines: String, as name: String = "made.zip") throws -> String {
        let path = directory.file(name)
        let script = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1], 'w')\n\(lines)\nz.close()\n"
        try ProcessRun.run("python3", ["-c", script, path])
        return path
    }

    private struct Content: Equatable {
        var name: String
        var bytes: [UInt8]
    }

    private func contents(_ path: String) throws -> [Content] {
        let file = try #require(FileHandle(forReadingAtPath: path))
        defer { try? file.close() }
        let reader = try ZipReader(descriptor: file.fileDescriptor)
        var contents: [Content] = []
        while let entry = try reader.next() {
            guard entry.isFile else { continue }
            contents.append(Content(name: entry.name, bytes: try read(reader)))
        }
        return contents
    }

    private func read(_ reader: ZipReader) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = try reader.read(into: buffer)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    @Test("Stored and deflated files, folders and non-Latin names can be read")
    func python() throws {
        let path = try python(
            """
            z.mkdir('folder') if hasattr(z, 'mkdir') else z.writestr('folder/', '')
            z.writestr('folder/a.mp3', b'a' * 5000)
            z.writestr('ünï/日本.mp3', b'bb', zipfile.ZIP_DEFLATED)
            z.writestr('empty.mp3', b'')
            """)
        let expected = [
            Content(name: "folder/a.mp3", bytes: [UInt8](repeating: 0x61, count: 5000)),
            Content(name: "ünï/日本.mp3", bytes: Array("bb".utf8)), Content(name: "empty.mp3", bytes: []),
        ]
        #expect(try contents(path) == expected)
    }

    @Test(
        "A zip written to a pipe, with sizes after the content, can be read",
        arguments: ["ZIP_STORED", "ZIP_DEFLATED"])
    func streamed(method: String) throws {
        let path = directory.file("piped.zip")
        let script = """
            import sys, zipfile
            class Pipe:
                def write(self, b): return sys.stdout.buffer.write(b)
                def flush(self): sys.stdout.buffer.flush()
            z = zipfile.ZipFile(Pipe(), 'w', zipfile.\(method))
            z.writestr('1.mp3', bytes(range(256)) * 40)
            z.writestr('2.mp3', b'second')
            z.close()
            """
        try ProcessRun.run("bash", ["-c", "python3 -c \"$0\" > \"$1\"", script, path])
        let found = try contents(path)
        #expect(found.map(\.name) == ["1.mp3", "2.mp3"])
        #expect(found.first?.bytes == (0..<40).flatMap { _ in (0...255).map { UInt8($0) } })
        #expect(found.last?.bytes == Array("second".utf8))
    }

    @Test("Damaged zips and other files are errors")
    func damaged() throws {
        let noise = try directory.write((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }, as: "noise")
        #expect(throws: ZipError.self) { try contents(noise) }
        let whole = try directory.read(
            URL(filePath: try python("z.writestr('1.mp3', bytes(range(256)) * 400, zipfile.ZIP_DEFLATED)"))
                .lastPathComponent)
        let half = try directory.write(whole.prefix(whole.count / 2), as: "half.zip")
        #expect(throws: ZipError.self) { try contents(half) }
        // A changed byte of the content is detected by the checksum.
        var bent = whole
        bent[60] ^= 0x55
        let path = try directory.write(bent, as: "bent.zip")
        #expect(throws: ZipError.self) { try contents(path) }
    }

    @Test("Encrypted files are recognised, and other files in the zip can be read")
    func encrypted() throws {
        // The first bit of the flags in a header marks an encrypted file (APPNOTE 4.4.4).
        var bytes = try directory.read(
            URL(filePath: try python("z.writestr('1.mp3', b'secret')\nz.writestr('2.mp3', b'open')"))
                .lastPathComponent)
        bytes[6] |= 1
        let file = try #require(FileHandle(forReadingAtPath: try directory.write(bytes, as: "locked.zip")))
        let reader = try ZipReader(descriptor: file.fileDescriptor)
        #expect(try reader.next()?.isEncrypted == true)
        let second = try #require(try reader.next())
        #expect(!second.isEncrypted && second.name == "2.mp3")
        #expect(try read(reader) == Array("open".utf8))
    }

    @Test(
        "Names are returned unchanged",
        arguments: [("../../etc/x.mp3", "x.mp3"), ("/abs.mp3", "abs.mp3"), ("a\\b.mp3", "b.mp3")])
    func names(name: String, last: String) throws {
        let path = try python("z.writestr('\(name.replacing("\\", with: "\\\\"))', b'x')")
        let file = try #require(FileHandle(forReadingAtPath: path))
        let entry = try #require(try ZipReader(descriptor: file.fileDescriptor).next())
        // Some systems write backslashes: they may be returned as slashes.
        #expect(entry.name.replacing("\\", with: "/") == name.replacing("\\", with: "/"))
        #expect(entry.lastName == last)
    }
}
