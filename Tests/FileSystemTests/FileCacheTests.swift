import FileSystem
import Foundation
import TestSupport
import Testing

@Suite("File cache")
struct FileCacheTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var folder: String { directory.file("cache") }
    private var names: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    }

    private func store(_ name: String, _ count: Int, in cache: FileCache) throws {
        try cache.store(name) { try $0.descriptor.write([UInt8](repeating: 7, count: count)) }
    }

    /// Sets the last use of a file.
    private func age(_ name: String, seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: "\(folder)/\(name)")
    }

    @Test("The least recently used files are evicted, down to 90% of the capacity")
    func eviction() throws {
        let cache = FileCache(folder: folder, capacity: 1000)
        for number in 0..<10 {
            try store("\(number)", 100, in: cache)
            try age("\(number)", seconds: Double(100 - number))
        }
        #expect(names.count == 10)
        cache.noteUse(of: "0")
        try store("new", 1, in: cache)
        // 1,001 bytes: two files of 100 bytes have to go for at most 900.
        #expect(names == ["0", "3", "4", "5", "6", "7", "8", "9", "new"])
        // Another process counts what is there.
        try store("more", 1, in: FileCache(folder: folder, capacity: 400))
        #expect(names.isSuperset(of: ["0", "new", "more"]) && names.count == 5)
    }

    @Test("A file that is larger than the capacity is kept until the next one")
    func large() throws {
        let cache = FileCache(folder: folder, capacity: 100)
        try store("a", 50, in: cache)
        try store("b", 500, in: cache)
        #expect(names == ["b"])
        try store("c", 50, in: cache)
        #expect(names == ["c"])
    }

    @Test("A file that could not be written whole is not stored, and an earlier one of its name stays")
    func failure() throws {
        struct Failure: Error {}
        let cache = FileCache(folder: folder, capacity: 1000)
        try store("a", 3, in: cache)
        #expect(throws: Failure.self) {
            try cache.store("a") { file in
                try file.descriptor.write([1])
                throw Failure()
            }
        }
        #expect(names == ["a"])
        #expect(try directory.read("cache/a") == [7, 7, 7])
        try store("a", 4, in: cache)
        #expect(try directory.read("cache/a").count == 4)
        #expect(try Files.status(of: cache.path(of: "a")).permissions == 0o600)
        #expect(try Files.status(of: folder).permissions == 0o700)
    }

    @Test("Leftovers of killed processes are deleted, files being written are not")
    func leftovers() throws {
        let cache = FileCache(folder: folder, capacity: 1000)
        try store("a", 1, in: cache)
        try Data([9]).write(to: URL(filePath: "\(folder)/.new-123"))
        let other = FileCache(folder: folder, capacity: 1000)
        try other.store("b") { file in
            // A third process counts the files meanwhile.
            try store("c", 1, in: FileCache(folder: folder, capacity: 1000))
            #expect(names.count == 3 && !names.contains(".new-123"), "a, c and the new file")
            try file.descriptor.write([1, 2])
        }
        #expect(names == ["a", "b", "c"])
        #expect(try directory.read("cache/b") == [1, 2])
    }
}
