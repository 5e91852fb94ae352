import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// Where rows of frames are kept, and what becomes of them when the disk takes no more.
@Suite("Measured frames")
struct MeasuredFramesTests {
    /// More than three blocks, and a part of one.
    private static let rowCount = 3 * MeasuredFrames.blockSize / 64 + 100

    private let directory: TemporaryDirectory
    private let bands = BandLevels(layout: BandLayout(), sampleRate: 44_100, fftSize: 1024)

    init() throws { directory = try TemporaryDirectory() }

    /// Rows that differ from each other.
    private func fill(_ frames: inout MeasuredFrames) {
        var power = [Float](repeating: 0, count: 513)
        for row in 0..<Self.rowCount {
            power[row % 513] = Float(row % 251) / 251
            power.withUnsafeBufferPointer { frames.append(power: $0, by: bands) }
        }
    }

    private func matrix(_ spool: FrameSpool?) -> MeasuredFrames {
        var frames = MeasuredFrames(expectedFrameCount: Self.rowCount, spool: spool)
        fill(&frames)
        return frames
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path) }
    }

    @Test("Blocks on the disk and rows in memory come out as one matrix, in order")
    func inBlocks() throws {
        let spooled = matrix(FrameSpool(folder: directory.path))
        #expect(try names.isEmpty)
        let kept = matrix(nil)
        #expect(spooled.spooledCount == 3 * MeasuredFrames.blockSize && kept.spooledCount == 0)
        #expect(spooled.frameCount == Self.rowCount && kept.frameCount == Self.rowCount)
        var sizes: [Int] = []
        var levels: [UInt8] = []
        try spooled.forEachBlock { block in
            sizes.append(block.count)
            levels += block
        }
        #expect(sizes == [1 << 18, 1 << 18, 1 << 18, 6_400])
        #expect(try levels == kept.inMemory().levels)
        #expect(spooled == kept)
    }

    @Test("Short matrices touch no disk, long ones do", arguments: [16_384, 16_385])
    func lengths(rowCount: Int) throws {
        var frames = MeasuredFrames(expectedFrameCount: rowCount, spoolFolder: directory.path)
        fill(&frames)
        #expect((frames.spooledCount > 0) == (rowCount > 16_384))
    }

    @Test("A disk that takes nothing: all rows stay in memory")
    func fullFromTheStart() throws {
        let full = open("/dev/full", O_RDWR | O_CLOEXEC)
        try #require(full >= 0)
        let frames = matrix(FrameSpool(descriptor: full))
        #expect(frames.spooledCount == 0)
        #expect(frames == matrix(nil))
    }

    @Test("A disk that takes no more: what it has is read back, the rest stays in memory")
    func fullMidway() throws {
        let path = try directory.write([], as: "spool")
        let file = open(path, O_RDWR | O_CLOEXEC)
        try #require(file >= 0)
        let spool = FrameSpool(descriptor: file)
        var frames = MeasuredFrames(expectedFrameCount: Self.rowCount, spool: spool)
        var power = [Float](repeating: 0, count: 513)
        for row in 0..<Self.rowCount {
            if row == MeasuredFrames.blockSize / 64 {
                // From here on the file can only be read.
                let readable = open(path, O_RDONLY | O_CLOEXEC)
                #expect(dup2(readable, file) == file)
                close(readable)
            }
            power[row % 513] = Float(row % 251) / 251
            power.withUnsafeBufferPointer { frames.append(power: $0, by: bands) }
        }
        #expect(frames.spooledCount == MeasuredFrames.blockSize)
        #expect(frames == matrix(nil))
    }

    @Test("What cannot be read back is an error, not frames")
    func lostFrames() throws {
        let path = try directory.write([], as: "spool")
        let frames = matrix(FrameSpool(descriptor: open(path, O_RDWR | O_CLOEXEC)))
        #expect(frames.spooledCount > 0)
        #expect(truncate(path, MeasuredFrames.blockSize + 10) == 0)
        #expect(throws: AnalyzerError.self) { try frames.inMemory() }
        #expect(frames != matrix(nil))
    }

    @Test("Where files need names, the name is gone at once, and one left behind is no hindrance")
    func namedFiles() throws {
        try directory.write(Array("left by a killed one".utf8), as: FrameSpool.passingName)
        let opened = FrameSpool.openUnlinked(directory.file(FrameSpool.passingName))
        #expect(opened >= 0)
        #expect(try names.isEmpty)
        let other = FrameSpool.openUnlinked(directory.file(FrameSpool.passingName))
        #expect(other >= 0 && other != opened)
        #expect(matrix(FrameSpool(descriptor: opened)) == matrix(FrameSpool(descriptor: other)))
        #expect(FrameSpool.openUnlinked(directory.file("nothing/here")) == -1)
    }
}
