import FileSystem
import Foundation
import TestSupport
import Testing

@Suite("Open files")
struct FileDescriptorTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func file(_ name: String = "file") throws -> FileDescriptor {
        try FileDescriptor.open(directory.file(name), for: .readAndWrite, .create)
    }

    @Test("A lock keeps others out until its file is closed")
    func exclusive() throws {
        let other = try file()
        do {
            let holder = try file()
            #expect(try holder.lock(.exclusive))
            #expect(try !other.lock(.exclusive))
            #expect(try !other.lock(.shared))
        }
        #expect(try other.lock(.exclusive))
    }

    @Test("Shared locks exclude only exclusive ones")
    func shared() throws {
        let one = try file()
        let two = try file()
        #expect(try one.lock(.shared))
        #expect(try two.lock(.shared))
        #expect(try !one.lock(.exclusive))
        two.unlock()
        #expect(try one.lock(.exclusive))
    }

    /// A child program that is just being started has copies of all descriptors until it runs its own program.
    @Test(
        "A lock ends with its file even while a child process that is being started has a copy of the descriptor"
    )
    func copied() throws {
        let other = try file()
        var copy: Int32 = -1
        do {
            let holder = try file()
            #expect(try holder.lock(.exclusive))
            #expect(try holder.lockByte(7))
            copy = dup(holder.number)
        }
        defer { close(copy) }
        #expect(try other.lock(.exclusive))
        #expect(try other.lockByte(7))
    }

    @Test("Each byte can be locked by another holder")
    func bytes() throws {
        let one = try file()
        let two = try file()
        #expect(try one.lockByte(3))
        #expect(try two.lockByte(4))
        #expect(try !two.lockByte(3))
        #expect(try one.isByteLockedElsewhere(4))
        #expect(try !one.isByteLockedElsewhere(3))
        #expect(try !one.isByteLockedElsewhere(5))
    }

    @Test("Short checks of a lock do not prevent it; an exclusive holder does, at once")
    func checks() async throws {
        let holder = try file()
        do {
            let check = try file()
            #expect(try check.lock(.shared))
            let path = directory.file("file")
            // Ends only when the check below has ended.
            let waiting = Task.detached {
                try FileDescriptor.open(path, for: .readAndWrite)
                    .lockDespiteChecks(attempts: 100_000, intervalMicroseconds: 500)
            }
            check.unlock()
            #expect(try await waiting.value)
        }
        #expect(try holder.lock(.exclusive))
        #expect(try !file().lockDespiteChecks(attempts: 1_000_000, intervalMicroseconds: 1_000_000))
    }

    @Test("Reads and writes at offsets, up to the end of the file")
    func content() throws {
        let file = try file()
        try file.write("hello".utf8)
        try file.write(Array("J".utf8), at: 0)
        try file.write(Array("!".utf8), at: 7)
        #expect(try file.read(100) == Array("Jello\0\0!".utf8))
        #expect(try file.read(3, at: 6) == Array("\0!".utf8))
        #expect(try file.read(3, at: 8) == [])
        try file.truncate(to: 2)
        #expect(try file.status().byteCount == 2)
    }

    @Test("Copies a range of another file; a file that ends early is reported")
    func copy() throws {
        let from = try file("a")
        let to = try file("b")
        try from.write("0123456789".utf8)
        try from.copy(2..<5, to: to)
        #expect(try to.read(10) == Array("234".utf8))
        #expect(throws: SystemError.endsEarly) { try from.copy(8..<12, to: to) }
    }

    @Test("A full disk and a missing file are different errors")
    func errors() throws {
        let full = try FileDescriptor.open("/dev/full", for: .write)
        let error = #expect(throws: SystemError.self) { try full.write([1]) }
        #expect(error?.kind == .noSpace)
        #expect(error.map { "\($0)" } == "No space left on device")
        let missing = #expect(throws: SystemError.self) {
            _ = try FileDescriptor.open(directory.file("none"))
        }
        #expect(missing == .notFound)
    }

    @Test(
        "Times are kept to the nanosecond, also before 1970",
        arguments: [1, -1, -1_500_000_000, 1_700_000_000_123_456_789])
    func times(nanoseconds: Int) throws {
        let file = try file()
        try file.setTimes(accessNanoseconds: 5, modificationNanoseconds: nanoseconds)
        #expect(try file.status().modificationNanoseconds == nanoseconds)
        #expect(try file.status().accessNanoseconds == 5)
    }

    @Test("The version of a file changes when it is written to or replaced, not when it is read")
    func version() throws {
        let path = directory.file("file")
        try Files.replace(path, with: "one".utf8)
        let first = try Files.status(of: path).version
        _ = try FileDescriptor.open(path).read(3)
        #expect(try Files.status(of: path).version == first)
        try Files.replace(path, with: "two".utf8)
        let second = try Files.status(of: path).version
        #expect(second != first)
        try FileDescriptor.open(path, for: .write, .append).write("!".utf8)
        #expect(try Files.status(of: path).version != second)
    }

    @Test("An open file reports whether a process writes to it")
    func writers() throws {
        _ = try file()
        let reader = try FileDescriptor.open(directory.file("file"))
        let before = reader.isOpenForWriting
        #expect(!before)
        let writer = try file()
        let during = reader.isOpenForWriting
        #expect(during)
        _ = consume writer
    }
}
