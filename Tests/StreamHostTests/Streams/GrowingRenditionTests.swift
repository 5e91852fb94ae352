import FileSystem
import Foundation
import TestSupport
import Testing

@testable import HostStreams

/// Renditions that are read while they are created.
@Suite("Growing renditions", .timeLimit(.minutes(5)))
struct GrowingRenditionTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func file() throws -> PendingFile { try PendingFile(in: try Folder(directory.path)) }

    @Test("Frames are returned as soon as they are written, also to those who asked before")
    func waits() async throws {
        let growing = GrowingRendition()
        let file = try file()
        async let early = growing.bytes(of: 1..<3)
        async let late = growing.bytes(of: 3..<4)
        growing.begin(file.descriptor)
        try file.descriptor.write([1, 2, 3, 4, 5])
        growing.append(ends: [2, 3])
        #expect(await growing.bytes(of: 0..<2) == [1, 2, 3])
        growing.append(ends: [5])
        #expect(await early == [3, 4, 5])
        growing.end()
        // The rest is never written: the error of the encoder is reported instead.
        #expect(await late == nil)
        #expect(await growing.bytes(of: 0..<1) == nil)
    }

    @Test("One that ends before it begins releases everyone")
    func endsEarly() async throws {
        let growing = GrowingRendition()
        async let waiting = growing.bytes(of: 0..<1)
        growing.end()
        #expect(await waiting == nil)
    }
}
