import Foundation
import MPEGAudio
import TestSupport
import Testing

/// Checks that scans of damaged files finish without a trap and with valid results.
///
/// Mutation *n* depends only on *n*. `FUZZ_MUTATIONS` sets how many are tried, `FUZZ_FIRST` the first. A million take about a
/// minute:
///
///     FUZZ_MUTATIONS=1000000 swift test -c release -Xswiftc -enable-testing --filter FuzzTests
@Suite struct FuzzTests {
    private static func setting(_ name: String, default value: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? value
    }

    @Test func scansOfDamagedFilesKeepTheirPromises() throws {
        let mutator = try Mutator()
        let first = Self.setting("FUZZ_FIRST", default: 0)
        let count = Self.setting("FUZZ_MUTATIONS", default: 3000)
        var accepted = 0
        for n in first..<first + count {
            var random = SeededGenerator(seed: UInt64(n))
            let bytes = mutator.mutated(&random)
            do {
                let stream = try MPEGAudioStream.scan(bytes)
                accepted += 1
                if let violation = StreamInvariants.violation(in: stream, bytes: bytes, random: &random) {
                    Issue.record("mutation \(n): \(violation)")
                    return
                }
            } catch {
                #expect(!error.message.isEmpty)
            }
            // If a trap ends the run, the last line printed shows where to start with FUZZ_FIRST.
            if n % 50_000 == 49_999 { FileHandle.standardError.write(Data("mutation \(n + 1)\n".utf8)) }
        }
        // If most files were rejected, the test would check little.
        #expect(accepted > count * 3 / 4)
    }

    @Test func damagedIndexBlobsAreRefusedOrConsistent() throws {
        let mutator = try Mutator()
        let blobs = try mutator.originals.map { try MPEGAudioStream.scan($0.bytes).index.encoded() }
        for n in 0..<Self.setting("FUZZ_MUTATIONS", default: 3000) {
            var random = SeededGenerator(seed: UInt64(n))
            var blob = blobs[n % blobs.count]
            let position = Int.random(in: 0..<blob.count, using: &random)
            blob[position] ^= UInt8.random(in: 1...255, using: &random)
            #expect(throws: MPEGAudioError.self) { try FrameIndex(decoding: blob) }

            // With a valid checksum, damage has to be detected from the values.
            let body = Array(blob.dropLast(4).prefix(Int.random(in: 4...blob.count, using: &random)))
            let checksum = [UInt8](withBigEndian: Int(CRC.checksum(body))).reversed()
            guard let index = try? FrameIndex(decoding: body + checksum), index.count > 0 else { continue }
            let frame = Int.random(in: 0..<index.count, using: &random)
            #expect(index[frame].length > 0)
            #expect(index.frame(atTicks: index.startTicks(ofFrame: frame)) == frame)
            #expect(index.byteRanges(of: frame..<frame + 1) == [index[frame].range])
        }
    }
}

/// CRC-32, computed bit by bit.
private enum CRC {
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var crc = ~UInt32(0)
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = crc & 1 == 1
                crc >>= 1
                if isOdd { crc ^= 0xEDB8_8320 }
            }
        }
        return ~crc
    }
}
