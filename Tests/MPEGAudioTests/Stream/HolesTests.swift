import MPEGAudio
import TestSupport
import Testing

/// Files with blocks lost by a disk.
@Suite("Holes")
struct HolesTests {
    enum Hole: CaseIterable { case zeros, noise, nothing }

    // Every complete frame is found again; the time of a hole is not filled in.
    @Test(
        "Every complete frame around lost blocks of 4 KiB is found", arguments: Hole.allCases,
        ["-b 128", "-b 320", "-V 2", "-b 64 -m m"])
    func wholeFrames(hole: Hole, options: String) throws {
        let whole = try Encoders.lame(
            PCM.music(frameCount: 44_100 * 20), ["-t"] + options.split(separator: " ").map(String.init))
        let index = try MPEGAudioStream.scan(whole).index
        var random = SeededGenerator(seed: 4)
        let blockSize = 4_096
        let blockCount = (whole.count + blockSize - 1) / blockSize
        let lost = Set((1..<blockCount - 1).filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
        var bytes: [UInt8] = []
        // The position of each undamaged frame in the damaged file.
        var moved: [Int: Int] = [:]
        for block in 0..<blockCount {
            let range = block * blockSize..<min(whole.count, (block + 1) * blockSize)
            moved[block] = bytes.count - range.lowerBound
            if !lost.contains(block) {
                bytes += whole[range]
            } else if hole != .nothing {
                bytes += range.map { _ in hole == .zeros ? 0 : UInt8.random(in: 0...255, using: &random) }
            }
        }
        let found = try MPEGAudioStream.scan(bytes).index
        let offsets = Set((0..<found.count).map { found[$0].offset })
        var missing = 0
        for number in 0..<index.count {
            let range = index[number].range
            let blocks = range.lowerBound / blockSize...(range.upperBound - 1) / blockSize
            guard blocks.allSatisfy({ !lost.contains($0) }), let shift = moved[blocks.lowerBound] else {
                continue
            }
            if !offsets.contains(range.lowerBound + shift) { missing += 1 }
        }
        #expect(missing == 0, "of \(index.count) frames")
    }
}
