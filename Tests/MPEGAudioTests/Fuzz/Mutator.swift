import MPEGAudio
import TestSupport

/// Damages MP3 files in sensitive places (headers, sizes, encoder tags, seams between frames) and anywhere else.
struct Mutator {
    /// A file to damage and the positions of its frames.
    struct Original: Sendable {
        let bytes: [UInt8]
        let frames: [FrameExtent]
        let infoOffset: Int?
    }

    let originals: [Original]

    /// Creates short files in every format of ``Encoding/all``.
    init() throws {
        originals = try Encoding.all.enumerated().map { i, encoding in
            let source = encoding.source(frameCount: encoding.rate / 2 + 77 * i, seed: UInt64(i))
            let bytes = try encoding.encode(source)
            let stream = try MPEGAudioStream.scan(bytes)
            return Original(
                bytes: bytes, frames: Array(stream.index), infoOffset: stream.infoTag?.frame.lowerBound)
        }
    }

    /// Returns the damaged file for the state of `random`.
    func mutated(_ random: inout SeededGenerator) -> [UInt8] {
        let original = pick(originals, &random)
        var bytes = original.bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            damage(&bytes, original, &random)
            if bytes.count > 200_000 { bytes.removeLast(bytes.count - 200_000) }
        }
        return bytes
    }

    private func damage(_ bytes: inout [UInt8], _ original: Original, _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<16, using: &random) {
        case 0: flipHeaderBit(&bytes, original, &random)
        case 1: overwrite(&bytes, at: pick(original.frames, &random).offset, noise(4, &random))
        case 2: overwrite(&bytes, at: position(bytes, &random), noise(length(&random), &random))
        case 3: bytes.removeLast(min(bytes.count, length(&random)))
        case 4: bytes.removeFirst(min(bytes.count, length(&random)))
        case 5:
            let start = position(bytes, &random)
            bytes.removeSubrange(start..<min(bytes.count, start + length(&random)))
        case 6: bytes.insert(contentsOf: noise(length(&random), &random), at: position(bytes, &random))
        case 7:
            let fill: UInt8 = pick([0, 0xFF, 0xFB, 0x20], &random)
            overwrite(&bytes, at: position(bytes, &random), [UInt8](repeating: fill, count: length(&random)))
        case 8: bytes.insert(contentsOf: piece(&random), at: position(bytes, &random))
        case 9: bytes += pick(originals, &random).bytes
        case 10: bytes = id3v2(&random) + bytes
        case 11: bytes += trailingTag(&random)
        case 12:
            bytes.insert(
                contentsOf: pick([id3v2(&random), trailingTag(&random)], &random),
                at: seam(bytes, original, &random))
        case 13: damageInfo(&bytes, original, &random)
        case 14: bytes.insert(contentsOf: repeatedHeader(original, &random), at: position(bytes, &random))
        default: bytes = Array(bytes.prefix(Int.random(in: 0...2000, using: &random)))
        }
    }

    private func flipHeaderBit(_ bytes: inout [UInt8], _ original: Original, _ random: inout SeededGenerator)
    {
        let at = pick(original.frames, &random).offset + Int.random(in: 0..<6, using: &random)
        if at < bytes.count { bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
    }

    /// Changes the values of the encoder's tag, or the bytes of "VBRI" and "Xing".
    private func damageInfo(_ bytes: inout [UInt8], _ original: Original, _ random: inout SeededGenerator) {
        let frame = original.infoOffset ?? original.frames[0].offset
        let magic = pick(["Xing", "Info", "VBRI", "LAME"], &random)
        if Bool.random(using: &random) {
            overwrite(
                &bytes, at: frame + pick([13, 21, 36, 38], &random), Array(magic.utf8) + noise(30, &random))
        } else {
            let values = pick(
                [noise(4, &random), [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF]], &random
            )
            overwrite(&bytes, at: frame + Int.random(in: 13..<180, using: &random), values)
        }
    }

    private func id3v2(_ random: inout SeededGenerator) -> [UInt8] {
        let picture = Bool.random(using: &random) ? piece(&random) : noise(length(&random), &random)
        let size = picture.count
        let plain = [UInt8](
            withBigEndian: pick([size, size, size * 2, Int.random(in: 0..<1 << 31, using: &random)], &random))
        var body = Array("APIC".utf8) + plain + [0, 0] + picture
        body += [UInt8](repeating: 0, count: Int.random(in: 0..<600, using: &random))
        let claimed = pick([body.count, body.count, body.count / 2, body.count * 3, 0, 1 << 27], &random)
        let synchsafe = [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: claimed >> $0 & 0x7F) }
        let version = pick([2, 3, 4, 4], &random) as UInt8
        return Array("ID3".utf8) + [version, 0, pick([0, 0x10, 0x80], &random)] + synchsafe + body
    }

    private func trailingTag(_ random: inout SeededGenerator) -> [UInt8] {
        let filling = noise(Int.random(in: 0..<400, using: &random), &random)
        let size = pick([filling.count + 32, 32, 0, Int.random(in: 0..<1 << 31, using: &random)], &random)
        let little = [UInt8]([UInt8](withBigEndian: size).reversed())
        let rest: [UInt8] =
            [1, 0, 0, 0, 0, 0, 0, pick([0, 0x80, 0xA0], &random)] + [UInt8](repeating: 0, count: 8)
        let block = Array("APETAGEX".utf8) + [0xD0, 7, 0, 0] + little + rest
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return Array("TAG".utf8) + noise(125, &random)
        case 1: return Array("TAG+".utf8) + noise(223, &random) + Array("TAG".utf8) + noise(125, &random)
        case 2: return (Bool.random(using: &random) ? block : []) + filling + block
        case 3: return Array("LYRICSBEGIN".utf8) + filling + Array("LYRICSEND".utf8)
        case 4:
            let digits = "00000\(pick([filling.count + 11, 0, 99_999], &random))".suffix(6)
            return Array("LYRICSBEGIN".utf8) + filling + Array(digits.utf8) + Array("LYRICS200".utf8)
        default:
            let synchsafe = [14, 7, 0].map { UInt8(truncatingIfNeeded: filling.count >> $0 & 0x7F) }
            return Array("ID3".utf8) + [4, 0, 0x10, 0] + synchsafe + filling + Array("3DI".utf8) + [
                4, 0, 0x10, 0,
            ] + synchsafe
        }
    }

    private func repeatedHeader(_ original: Original, _ random: inout SeededGenerator) -> [UInt8] {
        let at = pick(original.frames, &random).offset
        let header = original.bytes[at..<at + 4]
        return (0..<Int.random(in: 1...200, using: &random)).flatMap { _ in header }
    }

    private func piece(_ random: inout SeededGenerator) -> [UInt8] {
        let other = pick(originals, &random).bytes
        let start = Int.random(in: 0..<other.count, using: &random)
        return Array(other[start..<min(other.count, start + length(&random) * 4)])
    }

    /// Returns a position between two frames, if they are still where they were.
    private func seam(_ bytes: [UInt8], _ original: Original, _ random: inout SeededGenerator) -> Int {
        min(bytes.count, pick(original.frames, &random).offset)
    }

    private func position(_ bytes: [UInt8], _ random: inout SeededGenerator) -> Int {
        Int.random(in: 0...bytes.count, using: &random)
    }

    private func length(_ random: inout SeededGenerator) -> Int {
        Int.random(in: 1...(1 << Int.random(in: 1...12, using: &random)), using: &random)
    }

    private func noise(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private func pick<T>(_ choices: [T], _ random: inout SeededGenerator) -> T {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    private func overwrite(_ bytes: inout [UInt8], at start: Int, _ new: [UInt8]) {
        for (i, byte) in new.enumerated() where start + i < bytes.count { bytes[start + i] = byte }
    }
}

extension [UInt8] {
    /// The low 32 bits of `number`, big-endian.
    init(withBigEndian number: Int) {
        self = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
