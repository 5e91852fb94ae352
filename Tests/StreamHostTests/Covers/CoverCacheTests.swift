import Companion
import CoverImage
import Foundation
import HTTPServer
import Testing
import TestSupport
@testable import HostStreams
@testable import MusicFiles

@testable import StreamHost

@Suite struct CoverCacheTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var folder: String { directory.file("covers") }
    private var stored: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    @Test("Stored covers are found by picture and size")
    func storedAndFound() throws {
        let cache = CoverCache(folder: folder)
        #expect(cache.file("a", step: 64) == nil)
        cache.store([1, 2, 3], .jpeg, of: "a", step: 64)
        cache.store([4], .png, of: "b", step: 64)
        #expect(try cache.file("a", step: 64)?.file.content() == [1, 2, 3])
        #expect(cache.file("b", step: 64)?.format == .png)
        #expect(cache.file("a", step: 128) == nil)
        // Another host, later.
        #expect(try CoverCache(folder: folder).file("a", step: 64)?.file.content() == [1, 2, 3])
    }

    @Test("The cache stays within its capacity and keeps recently used covers")
    func capacity() throws {
        let cache = CoverCache(folder: folder, capacity: 1000)
        for number in 0..<50 {
            cache.store([UInt8](repeating: 7, count: 100), .jpeg, of: "\(number)", step: 64)
            #expect(cache.file("0", step: 64) != nil, "used most recently")
            // File system timestamps have a resolution of a few milliseconds.
            usleep(12_000)
        }
        #expect(stored.count <= 10 && stored.count >= 8)
        #expect(cache.file("49", step: 64) != nil)
        #expect(cache.file("1", step: 64) == nil)
        // Files of an earlier host count as well.
        let next = CoverCache(folder: folder, capacity: 500)
        next.store([1], .jpeg, of: "new", step: 64)
        #expect(stored.count <= 5)
    }

    @Test("Files of a killed process are deleted and never served")
    func leftovers() throws {
        let cache = CoverCache(folder: folder)
        cache.store([1], .jpeg, of: "a", step: 64)
        try Data([9, 9]).write(to: URL(filePath: "\(folder)/.new-123-0"))
        let next = CoverCache(folder: folder)
        next.store([2], .jpeg, of: "b", step: 64)
        #expect(stored.count == 2 && !stored.contains { $0.hasPrefix(".new") })
    }

    @Test("An unwritable folder only disables the cache")
    func unwritable() throws {
        try directory.write([], as: "covers")
        let cache = CoverCache(folder: folder)
        cache.store([1], .jpeg, of: "a", step: 64)
        #expect(cache.file("a", step: 64) == nil)
    }

    @Test("Cover file names are recognised and ranked")
    func names() {
        let best = ["cover.jpg", "Cover.JPEG", "COVER.png", "folder.jpg", "Front.jpg", "album.PNG"]
        let ranks = best.map { CoverFileName.rank(Array($0.utf8)) }
        #expect(!ranks.contains(nil) && ranks.compactMap(\.self) == ranks.compactMap(\.self).sorted())
        for name in ["cover", "cover.gif", "cover.jpg.txt", ".cover.jpg", "covers.jpg", "my cover.jpg", ""] {
            #expect(CoverFileName.rank(Array(name.utf8)) == nil)
        }
        #expect([1, 64, 65, 1600].map { CoverSize.step(for: $0) } == [64, 64, 128, 1600])
    }
}
