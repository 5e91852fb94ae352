import Foundation
import StreamClient
import TestSupport
import Testing

/// Samples for another program through a FIFO.
@Suite("Pipe output", .timeLimit(.minutes(30)))
struct PipeSinkTests {
    @Test("Readers may come and go: each continues where the one before stopped")
    func readers() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("fifo")
        let sink = PipeSink(path: path)
        let format = try await sink.open(AudioFormat(sampleRate: 96_000, channelCount: 1))
        #expect(format == AudioFormat(sampleRate: 44_100, channelCount: 2))
        let values = (0..<100_000).map { Int16(truncatingIfNeeded: $0 &* 7919) }
        let truth = values.flatMap { value in
            [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
        // More than the pipe holds: without a reader, writing waits.
        let writing = Task { try await sink.write(values.map { Float($0) / 32_768 }) }
        try await until { sink.isStalled }
        var heard: [UInt8] = []
        for count in [50_000, 1, truth.count - 50_001] {
            let run = try await ProcessRun.aside(
                "dd",
                ["if=\(path)", "iflag=count_bytes,fullblock", "count=\(count)", "bs=4096", "status=none"])
            heard += [UInt8](run.output)
        }
        try await writing.value
        #expect(heard == truth)
        #expect(!sink.isStalled)
        await sink.close()
    }

    @Test("Ending it lets a write return that nothing reads")
    func end() async throws {
        let directory = try TemporaryDirectory()
        let sink = PipeSink(path: directory.file("fifo"))
        _ = try await sink.open(AudioFormat(sampleRate: 44_100, channelCount: 2))
        let writing = Task { try await sink.write([Float](repeating: 0.5, count: 100_000)) }
        sink.end()
        try await writing.value
        await sink.close()
    }

    @Test("A file that is not a FIFO is an error that names it, and stays as it is")
    func file() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Array("music".utf8), as: "file")
        do {
            _ = try await PipeSink(path: path).open(AudioFormat(sampleRate: 44_100, channelCount: 2))
            Issue.record("a regular file was opened")
        } catch {
            #expect(error.code == .outputFailed && error.description.contains("not a FIFO"))
            #expect(error.description.contains(path))
        }
        #expect(try directory.read("file") == Array("music".utf8))
    }
}
