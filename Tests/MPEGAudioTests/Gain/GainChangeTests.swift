import Foundation
import MPEGAudio
import TestSupport
import Testing

/// Checks that, decoded by ffmpeg, changed gain fields give the original times a power of two.
@Suite struct GainChangeTests {
    @Test(arguments: Encoding.all.filter { !$0.isFreeFormat })
    func decodesToTheScaledOriginal(_ encoding: Encoding) throws {
        let frames = try Frames(encoding)
        try frames.expectScaled(by: [-9, -1, 2, 5])
    }

    /// No available encoder writes intensity stereo, but a joint-stereo stream whose header is changed to claim it is intensity
    /// stereo: the decoder then reads the right channel's scale factors as positions. It sounds different, and must sound
    /// equally different at another level.
    /// right channel's scale factors for positions. It sounds different, and is to sound just as different at another level.
    @Test(arguments: [
        "--cbr -b 96 -m j", "--cbr -b 96 -m j -p", "-V 4 -m j --resample 22.05", "-V 6 -m f -p --resample 12",
    ])
    func decodesToTheScaledOriginalWithIntensityStereo(_ options: String) throws {
        let frames = try Frames(Encoding(rate: 44_100, channels: 2, options: options)) { frame in
            frame[3] |= 0x10
        }
        let plain = try Frames(Encoding(rate: 44_100, channels: 2, options: options))
        #expect(try frames.decoded() != plain.decoded())
        try frames.expectScaled(by: [-6, 3])
    }

    @Test func theFactorIsAFourthRootOfTwoPerStep() {
        for steps in -40...40 {
            let change = GainChange(steps: steps)
            #expect(abs(change.factor - pow(2, Double(steps) / 4)) < 1e-12 * change.factor)
            #expect(abs(change.decibels - 20 * log10(change.factor)) < 1e-9)
        }
    }

    /// ffmpeg checks the CRCs of LAME's own frames in the same way as ours.
    @Test(arguments: ["-b 128 -p", "-V 2 -p", "-b 56 -m m -p --resample 22.05", "-V 5 -p --resample 11.025"])
    func checksumsAreRight(_ options: String) throws {
        let frames = try Frames(Encoding(rate: 44_100, channels: 2, options: options))
        let bytes = frames.bytes
        for offset in frames.offsets {
            let stored = UInt16(bytes[offset + 4]) << 8 | UInt16(bytes[offset + 5])
            #expect(FrameChecksum(ofFrameIn: bytes.span.bytes, at: offset)?.value == stored)
        }
        func isAccepted(_ bytes: [UInt8]) throws -> Bool {
            let directory = try TemporaryDirectory()
            let run = try ProcessRun.run(
                "ffmpeg",
                [
                    "-v", "error", "-err_detect", "crccheck+explode", "-xerror", "-f", "mp3", "-i",
                    try directory.write(bytes, as: "a.mp3"), "-f", "null", "-",
                ], mustSucceed: false)
            return run.status == 0 && run.errors.isEmpty
        }
        #expect(try isAccepted(frames.changed(by: -4)))
        var damaged = try frames.changed(by: -4)
        damaged[frames.offsets[20] + 5] ^= 1
        #expect(try !isAccepted(damaged))
    }

    @Test func headroomIsExact() throws {
        let frames = try Frames(Encoding(rate: 44_100, channels: 2, options: "-V 3"))
        let headroom = try GainHeadroom(of: frames.index, bytes: frames.bytes.span.bytes)
        let steps = headroom.steps
        #expect(steps.lowerBound < -20 && steps.upperBound > 10)
        let raised = try frames.changed(by: steps.upperBound)
        #expect(try GainHeadroom(of: frames.index, bytes: raised.span.bytes).gains?.upperBound == 255)
        #expect(throws: MPEGAudioError.self) { try frames.changed(by: steps.upperBound + 1) }
        _ = try frames.changed(by: steps.lowerBound)
        #expect(throws: MPEGAudioError.self) { try frames.changed(by: steps.lowerBound - 1) }
    }

    /// LAME writes granules of gain 0 for nearly silent audio.
    @Test func whatNobodyHearsSetsNoLimit() throws {
        let frames = try Frames(Encoding(rate: 44_100, channels: 2, options: "-V 3"))
        var bytes = frames.bytes
        let index = frames.index
        let offset = index[index.count / 2].offset
        var span = bytes.mutableSpan
        var raw = span.mutableBytes
        // Lowers a frame until it is inaudible: one step at a time, because granules already at 0 stay there.
        let highest = try #require(GainHeadroom(of: index, bytes: frames.bytes.span.bytes).gains).upperBound
        for _ in 0..<highest { try GainChange(steps: -1).apply(to: &raw, frameAt: offset) }
        let headroom = try GainHeadroom(of: index, bytes: bytes.span.bytes)
        #expect(headroom.steps.lowerBound < -20)
        var lowered = bytes
        try frames.change(&lowered, by: -12)
        let (before, after) = (try frames.decoded(bytes), try frames.decoded(lowered))
        let worst = zip(before, after).reduce(Float(0)) { max($0, abs($1.0 * 0.125 - $1.1)) }
        #expect(worst < 1e-6)
    }

    @Test func silenceSetsNoLimit() throws {
        let silence = PCM(
            sampleRate: 44_100, channelCount: 1, samples: [Int16](repeating: 0, count: 50_000))
        let bytes = try Encoders.lame(silence, ["-t", "-b", "64"])
        let index = try MPEGAudioStream.scan(bytes).index
        let headroom = try GainHeadroom(of: index, bytes: bytes.span.bytes)
        #expect(headroom.gains == nil)
        #expect(headroom.steps == -255...255)
    }

    @Test func thereAndBackIsTheOriginal() throws {
        let frames = try Frames(Encoding(rate: 44_100, channels: 2, options: "-V 5 -p"))
        var bytes = try frames.changed(by: -7)
        #expect(bytes != frames.bytes)
        try frames.change(&bytes, by: 7)
        #expect(bytes == frames.bytes)
    }

    /// The aliasing left at each step must not appear as audible other tones.
    @Test(arguments: [100.0, 1000, 5300], [60, 155])
    func fadesGoDownEvenly(_ frequency: Double, _ count: Int) throws {
        let rate = 44_100
        let tone = PCM(
            sampleRate: rate, channelCount: 1,
            samples: (0..<6 * rate).map { sample in
                Int16(16_000 * sin(2 * .pi * frequency * Double(sample) / Double(rate)))
            })
        let frames = try Frames(bytes: Encoders.lame(tone, ["-t", "-b", "192", "-m", "m"]))
        let end = frames.offsets.count - 20
        let fade = GainFade(frames: end - count..<end)
        var bytes = frames.bytes
        try frames.change(&bytes, fading: fade)
        let (before, after) = (try frames.decoded(), try frames.decoded(bytes))
        // The samples affected by a frame's windows end after the next frame's.
        let start = (end - count) * 1152
        #expect(before[..<start] == after[..<start])
        // A window of 2,048 samples: more than a critical band (Zwicker) away from the tone, there is almost nothing.
        let band = 25 + 75 * pow(1 + 1.4 * pow(frequency / 1000, 2), 0.69)
        var (inside, outside) = (0.0, 0.0)
        for step in stride(from: start, to: end * 1152 - 2048, by: 1024) {
            // Scaled back to the original level, so that the fade itself does not spread the spectrum.
            let window = (0..<2048).map { sample in
                let steps = Double(step + sample - start) / 1152 * Double(GainFade.depth) / Double(count)
                let hann = 0.5 - 0.5 * cos(2 * .pi * Double(sample) / 2048)
                return Double(after[step + sample]) * pow(2, steps / 4) * hann
            }
            let near = Self.power(window, around: frequency, width: max(band, 4 * Double(rate) / 2048), rate)
            inside += near
            outside += max(0, window.reduce(0) { $0 + $1 * $1 } * 1024 - near)
        }
        #expect(10 * log10(outside / inside) < -32)
        // Linear in decibels, a fall of 60 dB.
        for frame in stride(from: 0, to: count - 1, by: 5) {
            let samples = start + frame * 1152..<start + (frame + 1) * 1152
            let level = [before, after].map { sound in
                samples.reduce(0.0) { $0 + Double(sound[$1] * sound[$1]) }
            }
            let expected = -Double(frame + 1) / Double(count) * 60.2
            #expect(abs(10 * log10(level[1] / level[0]) - expected) < 1.6, "frame \(frame)")
        }
    }

    /// Returns the power of a windowed sound's spectrum around a frequency (a plain Fourier sum over its bins).
    private static func power(_ window: [Double], around frequency: Double, width: Double, _ rate: Int)
        -> Double
    {
        let count = Double(window.count)
        let bins =
            Int(
                (frequency - width / 2) / Double(rate) * count)...Int(
                ((frequency + width / 2) / Double(rate) * count).rounded(.up))
        return bins.reduce(0.0) { sum, bin in
            var (real, imaginary) = (0.0, 0.0)
            for (index, value) in window.enumerated() {
                let angle = 2 * .pi * Double(bin) * Double(index) / count
                real += value * cos(angle)
                imaginary += value * sin(angle)
            }
            return sum + (real * real + imaginary * imaginary)
        }
    }

    @Test func aFadeTakesOneStepAfterTheOther() {
        let fade = GainFade(frames: 100..<180)
        #expect(fade.steps(ofFrame: 99) == 0)
        #expect(fade.steps(ofFrame: 179) == GainFade.depth)
        #expect(fade.steps(ofFrame: 500) == GainFade.depth)
        let steps = (99..<181).map { fade.steps(ofFrame: $0) }
        #expect(zip(steps, steps.dropFirst()).allSatisfy { 0...1 ~= $1 - $0 })
    }

    @Test func otherBytesAreNoticed() throws {
        var noise: [UInt8] = Array(repeating: 0x55, count: 100)
        var span = noise.mutableSpan
        var raw = span.mutableBytes
        for offset in [-1, 0, 97, 1000] {
            var code: MPEGAudioError.Code?
            do throws(MPEGAudioError) {
                try GainChange(steps: 1).apply(to: &raw, frameAt: offset)
            } catch {
                code = error.code
            }
            #expect(code == .indexMismatch)
        }
    }
}

/// A stream without tags or Info frame.
private struct Frames {
    let bytes: [UInt8]
    let index: FrameIndex
    var offsets: [Int] { index.map(\.offset) }

    /// - Parameter modify: changes each frame; its CRC is recomputed afterwards.
    init(_ encoding: Encoding, modify: ((inout [UInt8]) -> Void)? = nil) throws {
        let file = try encoding.encode(encoding.source(frameCount: encoding.rate * 2))
        let stream = try MPEGAudioStream.scan(file)
        var bytes = stream.index.flatMap { extent -> [UInt8] in
            var frame = Array(file[extent.range])
            modify?(&frame)
            return frame
        }
        index = try MPEGAudioStream.scan(bytes).index
        for extent in index where modify != nil && bytes[extent.offset + 1] & 1 == 0 {
            let found = FrameChecksum(ofFrameIn: bytes.span.bytes, at: extent.offset)
            let sum = try #require(found).value
            bytes[extent.offset + 4] = UInt8(sum >> 8)
            bytes[extent.offset + 5] = UInt8(sum & 0xFF)
        }
        self.bytes = bytes
    }

    /// Creates the stream from a file's unchanged frames.
    init(bytes file: [UInt8]) throws {
        bytes = try MPEGAudioStream.scan(file).index.flatMap { file[$0.range] }
        index = try MPEGAudioStream.scan(bytes).index
    }

    func change(_ bytes: inout [UInt8], fading fade: GainFade) throws {
        var span = bytes.mutableSpan
        var raw = span.mutableBytes
        for (frame, offset) in offsets.enumerated() {
            try GainChange(steps: 0).apply(to: &raw, frameAt: offset, fadedBy: fade.steps(ofFrame: frame))
        }
    }

    func change(_ bytes: inout [UInt8], by steps: Int) throws {
        var span = bytes.mutableSpan
        var raw = span.mutableBytes
        for offset in offsets { try GainChange(steps: steps).apply(to: &raw, frameAt: offset) }
    }

    func changed(by steps: Int) throws -> [UInt8] {
        var changed = bytes
        try change(&changed, by: steps)
        return changed
    }

    func decoded(_ bytes: [UInt8]? = nil) throws -> [Float] {
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes ?? self.bytes, as: "a.mp3")
        let run = try ProcessRun.run("ffmpeg", ["-v", "error", "-f", "mp3", "-i", path, "-f", "f32le", "-"])
        return run.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    func expectScaled(by changes: [Int]) throws {
        let original = try decoded()
        let peak = original.reduce(0) { max($0, abs($1)) }
        #expect(peak > 0.05)
        for steps in changes {
            let changed = try decoded(try self.changed(by: steps))
            #expect(changed.count == original.count)
            let factor = Float(pow(2, Double(steps) / 4))
            let worst = zip(original, changed).reduce(Float(0)) { max($0, abs($1.0 * factor - $1.1)) }
            // Single precision has 24 bits; the filter bank adds up a few dozen products.
            #expect(worst <= 4e-6 * factor * max(peak, 1), "\(steps) steps")
        }
    }
}
