import FileSystem
import Foundation
import TestSupport
import Testing

@Suite("Folders and new files")
struct FolderTests {
    private let directory: TemporaryDirectory
    private let folder: Folder

    init() throws {
        directory = try TemporaryDirectory()
        folder = try Folder(directory.path)
    }

    private func names(_ folder: Folder) -> Set<String> {
        Set(folder.names().map { String(decoding: $0, as: UTF8.self) })
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try folder.open(name).read(1_000), as: UTF8.self)
    }

    @Test("Entries are never reached through a link")
    func links() throws {
        let outside = try folder.folder("outside", creating: 0o700)
        try outside.open("file", for: .write, .createNew).write("secret".utf8)
        let inside = try folder.folder("inside", creating: 0o700)
        #expect(symlink("../outside", directory.file("inside/link")) == 0)
        #expect(symlink("../outside/file", directory.file("inside/file")) == 0)
        #expect(throws: SystemError.self) { try inside.folder("link") }
        #expect(throws: SystemError.self) { _ = try inside.open("file") }
        #expect(try inside.status(of: "file").kind == .link)
        #expect(try inside.status(of: "file", followsLinks: true).byteCount == 6)
        folder.removeAll("inside")
        #expect(names(folder) == ["outside"])
        #expect(names(outside) == ["file"])
    }

    @Test("Missing folders are created along a path, existing ones are used")
    func nested() throws {
        let made = try folder.folder(along: ["a", "b", "c"], creating: 0o755)
        #expect(throws: SystemError.notFound) { try folder.folder(along: ["a", "x"]) }
        let found = try folder.folder(along: ["a", "b", "c"], creating: 0o755)
        #expect(try made.descriptor.status().identity == found.descriptor.status().identity)
        try directory.write([], as: "a/file")
        let blocked = #expect(throws: SystemError.self) {
            try folder.folder(along: ["a", "file"], creating: 0o755)
        }
        #expect(blocked?.kind == .notAFolder)
    }

    @Test("A file that cannot be opened without waiting is no trap")
    func fifo() throws {
        #expect(mkfifo(directory.file("fifo"), 0o600) == 0)
        // Without a writer, opening a FIFO would wait for ever.
        #expect(try folder.open("fifo").status().kind == .other)
    }

    @Test("Names need not be valid text")
    func oddNames() throws {
        let name: [UInt8] = [0xFF, 0x20, 0xC3]
        try folder.open(name, for: .write, .createNew).write([1])
        #expect(folder.names() == [name])
        try folder.rename(name, to: "text", in: folder)
        #expect(names(folder) == ["text"])
    }

    @Test("Renaming to a free name does not replace a file")
    func freeName() throws {
        try directory.write(Array("old".utf8), as: "taken")
        try directory.write(Array("new".utf8), as: "other")
        let error = #expect(throws: SystemError.self) {
            try folder.renameToFreeName("other", to: "taken", in: folder)
        }
        #expect(error?.kind == .alreadyExists)
        #expect(try text("taken") == "old")
        try folder.renameToFreeName("other", to: "free", in: folder)
        #expect(names(folder) == ["taken", "free"])
    }

    @Test("A new file has a hidden name until it takes its own, and goes if it does not")
    func pending() throws {
        do {
            let file = try PendingFile(in: folder)
            try file.descriptor.write("half".utf8)
            let name = try #require(folder.names().first)
            #expect(PendingFile.isName(name) && name.first == UInt8(ascii: "."))
            // Locked while it is being written.
            #expect(try !folder.open(name).lock(.exclusive))
        }
        #expect(folder.names().isEmpty)
        try directory.write(Array("old".utf8), as: "file")
        let file = try PendingFile(in: folder)
        try file.descriptor.write("new".utf8)
        #expect(try text("file") == "old")
        #expect(throws: SystemError.self) { try file.take(freeName: "file") }
        try file.replace("file")
        #expect(names(folder) == ["file"])
        #expect(try text("file") == "new")
        #expect(try file.descriptor.status().permissions == 0o600)
    }

    @Test("Replacing a file leaves the old one if the new one cannot be written")
    func replacing() throws {
        let path = directory.file("file")
        try Files.replace(path, with: "one".utf8, permissions: 0o666)
        // Whatever the umask.
        #expect(try Files.status(of: path).permissions == 0o666)
        try Files.replace(path, with: "two".utf8)
        #expect(try Files.status(of: path).permissions == 0o600)
        #expect(try text("file") == "two")
        #expect(throws: SystemError.notFound) {
            try Files.replace(directory.file("none/file"), with: "x".utf8)
        }
        try FileManager.default.createDirectory(
            atPath: directory.file("folder"), withIntermediateDirectories: false)
        #expect(throws: SystemError.self) { try Files.replace(directory.file("folder"), with: "x".utf8) }
        #expect(names(folder) == ["file", "folder"])
    }

    @Test("The permissions of new files follow the umask")
    func umask() throws {
        let path = directory.file("made")
        _ = try FileDescriptor.open(path, for: .write, .createNew, permissions: 0o666)
        #expect(try Files.status(of: path).permissions == Files.newFilePermissions)
    }
}
