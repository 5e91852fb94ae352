import FileSystem
import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// Storage of frame rows, including when the disk is full.
@Suite("Measured frames")
struct MeasuredSpectraTests {
    /// More than three blocks, and part of another one.
    private static let rowCount = 3 * MeasuredSpectra.blockSize / 64 + 100

    private let directory: TemporaryDirectory
    private let bands = BandLevels(layout: BandLayout(), sampleRate: 44_100, fftSize: 1024)

    init() throws { directory = try TemporaryDirectory() }

    private func levels(_ power: [Float]) -> [UInt8] {
        var row: [UInt8] = []
        power.withUnsafeBufferPointer { bands.append(power: $0, to: &row) }
        return row
    }

    /// Appends rows that all differ.
    private func fill(_ frames: inout MeasuredSpectra) {
        var power = [Float](repeating: 0, count: 513)
        for row in 0..<Self.rowCount {
            power[row % 513] = Float(row % 251) / 251
            frames.append(levels(power))
        }
    }

    private func matrix(_ spool: SpectrumSpool?) -> MeasuredSpectra {
        var frames = MeasuredSpectra(expectedFrameCount: Self.rowCount, spool: spool)
        fill(&frames)
        return frames
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path) }
    }

    @Test("Blocks on disk and rows in memory form one matrix in order")
    func inBlocks() throws {
        let spooled = matrix(SpectrumSpool(folder: directory.path))
        #expect(try names.isEmpty)
        let kept = matrix(nil)
        #expect(spooled.spooledCount == 3 * MeasuredSpectra.blockSize && kept.spooledCount == 0)
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

    @Test("Only long matrices use the disk", arguments: [16_384, 16_385])
    func lengths(rowCount: Int) throws {
        var frames = MeasuredSpectra(expectedFrameCount: rowCount, spoolFolder: directory.path)
        fill(&frames)
        #expect((frames.spooledCount > 0) == (rowCount > 16_384))
    }

    @Test("If the disk is full from the start, all rows stay in memory")
    func fullFromTheStart() throws {
        let full = open("/dev/full", O_RDWR | O_CLOEXEC)
        try #require(full >= 0)
        let frames = matrix(SpectrumSpool(FileDescriptor(owning: full)))
        #expect(frames.spooledCount == 0)
        #expect(frames == matrix(nil))
    }

    @Test("If the disk becomes full, written blocks are read back, and the rest stays in memory")
    func fullMidway() throws {
        let path = try directory.write([], as: "spool")
        let file = open(path, O_RDWR | O_CLOEXEC)
        try #require(file >= 0)
        let spool = SpectrumSpool(FileDescriptor(owning: file))
        var frames = MeasuredSpectra(expectedFrameCount: Self.rowCount, spool: spool)
        var power = [Float](repeating: 0, count: 513)
        for row in 0..<Self.rowCount {
            if row == MeasuredSpectra.blockSize / 64 {
                // From here on the file is read-only.
                let readable = open(path, O_RDONLY | O_CLOEXEC)
                #expect(dup2(readable, file) == file)
                close(readable)
            }
            power[row % 513] = Float(row % 251) / 251
            frames.append(levels(power))
        }
        #expect(frames.spooledCount == MeasuredSpectra.blockSize)
        #expect(frames == matrix(nil))
    }

    @Test("Rows that cannot be read back are an error")
    func lostFrames() throws {
        let path = try directory.write([], as: "spool")
        let frames = matrix(SpectrumSpool(try FileDescriptor.open(path, for: .readAndWrite)))
        #expect(frames.spooledCount > 0)
        #expect(truncate(path, MeasuredSpectra.blockSize + 10) == 0)
        #expect(throws: AnalyzerError.self) { try frames.inMemory() }
        #expect(frames != matrix(nil))
    }

    @Test("Temporary file names are removed immediately, and a leftover file does no harm")
    func namedFiles() throws {
        try directory.write(Array("left by a killed process".utf8), as: SpectrumSpool.passingName)
        let opened = SpectrumSpool(try SpectrumSpool.openUnlinked(directory.file(SpectrumSpool.passingName)))
        #expect(try names.isEmpty)
        let other = SpectrumSpool(try SpectrumSpool.openUnlinked(directory.file(SpectrumSpool.passingName)))
        // Two separate files: the second does not overwrite the first.
        let frames = matrix(opened)
        #expect(matrix(other) == frames)
        #expect(frames == matrix(nil))
        #expect(throws: SystemError.notFound) {
            _ = try SpectrumSpool.openUnlinked(directory.file("nothing/here"))
        }
    }
}
