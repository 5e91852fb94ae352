import Foundation
import TestSupport
import Testing

/// The output of the page's audio graph, rendered offline and measured.
@Suite("Playback output", .serialized, .playbackPage(PlaybackSounds.tones), .timeLimit(.minutes(30)))
struct PlaybackSoundTests {
    /// A sine split into two files. At the file's own rate, the samples equal mpg123's gapless decode of both, so that the only
    /// error is the encoder's, and those of FLAC files the integers that were encoded; at another rate, the phase is continuous.
    @Test(
        "Two halves of a file play without a gap",
        arguments: [
            ("cut44", 44_100), ("cut48", 48_000), ("cut44", 48_000), ("cut22", 44_100), ("cut32", 48_000),
            ("lossless44", 44_100), ("lossless44", 48_000), ("lossless96", 96_000), ("lossless96", 44_100),
            ("sheet44", 44_100), ("sheet44", 48_000),
            ("aac44", 44_100), ("opus48", 48_000),
        ])
    func gapless(folder: String, rate: Int) async throws {
        let cut = try #require(PlaybackSounds.cuts.first { $0.folder == folder })
        let told = try await PlaybackPage.told("gapless", [folder, String(rate)])
        #expect(try told.number("seam") == 0)
        let ratio = Double(rate) / Double(cut.rate)
        #expect(try told.number("joint") == (Double(cut.cutFrame) * ratio).rounded(.up))
        #expect(try told.number("end") == (Double(cut.frameCount) * ratio).rounded(.up))
        #expect(try told.text("quality") == "original")
        let (phase, rest, error) = cut.tolerances
        #expect(try abs(told.number("phase")) < phase)
        #expect(try told.number("rest") < rest)
        guard rate == cut.rate else { return }
        let reference = try await PlaybackSounds.reference(of: cut)
        #expect(reference.count == cut.frameCount)
        #expect(try told.worstError(to: reference, joint: cut.cutFrame) < error)
    }

    @Test("More than two channels are mixed as the host does")
    func surroundMix() async throws {
        let told = try await PlaybackPage.told("surroundMix")
        #expect(try told.number("length") == Double(PlaybackSounds.surround.frameCount))
        let shares = [
            [1, 0, 0.5.squareRoot(), 0, 0.5.squareRoot(), 0],
            [0, 1, 0.5.squareRoot(), 0, 0, 0.5.squareRoot()],
        ]
        let sum = 1 + 2 * 0.5.squareRoot()
        for (side, name) in ["left", "right"].enumerated() {
            let samples = try told.list(name)
            try #require(samples.count == 3000)
            // The scenario returns the samples around the border of two segments.
            let first = Int(try told.number("from"))
            for (place, sample) in samples.enumerated() {
                let expected = PlaybackSounds.surround.channels.enumerated().reduce(0.0) { total, channel in
                    total + shares[side][channel.offset] * Double(channel.element[first + place])
                }
                guard abs(sample - expected / sum / 8_388_608) < 1e-6 else {
                    Issue.record(
                        "\(name) sample \(first + place): \(sample) instead of \(expected / sum / 8_388_608)")
                    break
                }
            }
        }
    }

    @Test("HE-AAC plays whole, with its replicated band", arguments: HEAACFile.allCases)
    func bandReplication(file: HEAACFile) async throws {
        let name = String(file.rawValue.dropLast(".m4a".count))
        let told = try await PlaybackPage.told("wholeSound", [name])
        #expect(try told.text("quality") == "original")
        #expect(try told.number("length") == Double(HEAACFile.frameCount))
        #expect(try told.number("frames") == Double(HEAACFile.frameCount))
        let powers = try told.list("powers").map { Float($0) }
        let expected = HEAACFile.powers(try await file.decoded())
        #expect(powers.count == expected.count)
        #expect(HEAACFile.isAlike(powers: powers, expected), "\(zip(powers, expected).map { $0 / $1 })")
    }

    @Test("A browser that cannot decode FLAC plays MP3 of the same length and in phase")
    func withoutFLAC() async throws {
        let told = try await PlaybackPage.told("withoutFLAC")
        #expect(try told.text("quality") == "high")
        #expect(
            try told.text("texts")
                == "MP3 192 kbit/s: this browser cannot play FLAC, MP3 64 kbit/s, FLAC 44.1 kHz 16 bit")
        #expect(try told.text("mp3") == "MP3 128 kbit/s")
        #expect(try told.number("original") == 0 && told.number("high") >= 2)
        #expect(try told.number("length") == 441_000)
        // Of the sine at 600 Hz; a shift by one sample would be 0.085.
        #expect(try abs(told.number("phase")) < 0.01)
    }

    @Test(
        "A sine is continuous across a change from the original to the low quality",
        arguments: [
            ("toneA", 600, 44_100), ("toneB", 1000, 48_000), ("toneC", 600, 44_100), ("toneC", 600, 48_000),
            ("toneD", 1000, 48_000),
        ])
    func qualities(name: String, hertz: Int, rate: Int) async throws {
        let told = try await PlaybackPage.told("qualitiesInTurn", [name, String(rate), String(hertz)])
        #expect(try told.number("low") >= 1)
        #expect(try told.number("low") < told.number("all"))
        #expect(try told.number("length") == 0)
        // Difference between two encodings; a shift by one sample would be 0.085 and 0.13.
        let phase = try told.number("phase")
        #expect(phase < 0.02)
    }

    @Test("Segments are bit-identical whatever the browser's decoder trims")
    func trimming() async throws {
        let told = try await PlaybackPage.told("trimmingDecoders")
        #expect(try told.number("segments") > 8)
        #expect(try told.number("missing") == 0)
        // Some browsers round decoded audio to 16 bits, and round differently for different start positions.
        let step = WebBrowser.Engine.usual == .chromium ? 0 : 1.0 / 32768
        #expect(try told.number("apart") <= step)
        // The browsers in these tests trim nothing from bare frames.
        #expect(try told.number("head") == 0)
        #expect(try told.number("tail") == 0)
        let junk = try await PlaybackPage.told("junkBetweenFrames")
        #expect(try junk.number("same") == junk.number("expected"))
        #expect(try junk.number("found") == junk.number("expected"))
    }

    @Test("Resampled sines are sines, whatever the chunk sizes")
    func resampling() async throws {
        let told = try await PlaybackPage.told("resampling")
        #expect(try told.number("worst") < 1e-4)
        #expect(try told.number("lengths") == 0)
        #expect(try told.number("folded") < -80)
    }

    @Test("Speed changes preserve pitch and level")
    func speed() async throws {
        let told = try await PlaybackPage.told("speed")
        for speed in ["0.75", "1.5"] {
            #expect(try abs(told.number("length\(speed)") - 1) < 0.001)
            #expect(try abs(told.number("pitch\(speed)") - 441.7) < 2)
            #expect(try abs(told.number("level\(speed)") / (0.475 / 2.squareRoot()) - 1) < 0.03)
            #expect(try abs(told.number("position\(speed)") - 1) < 0.001)
        }
    }

    /// The sine is the same in both channels, so comparing one channel is sufficient.
    @Test(
        "At another speed, two halves of a file are stretched without a seam",
        arguments: [
            ("cut44", 44_100, 1.5), ("cut44", 48_000, 0.75), ("cut22", 44_100, 3), ("cut48", 48_000, 1.1),
        ])
    func speedOfTwo(folder: String, rate: Int, speed: Double) async throws {
        let cut = try #require(PlaybackSounds.cuts.first { $0.folder == folder })
        let told = try await PlaybackPage.told(
            "speedOfTwo", [folder, String(cut.rate), String(rate), String(speed)])
        #expect(try told.number("seam") == 0)
        #expect(try told.number("length") == 0)
        let joint = Double(cut.cutFrame) * Double(rate) / Double(cut.rate) / speed
        #expect(try told.number("joint") == joint.rounded(.up))
        for part in ["before", "around", "after"] { #expect(try told.number(part) < 1e-6, "\(part)") }
        #expect(try abs(told.number("place")) < 1)
    }

    @Test("A closed stream returns silence without blocking the caller")
    func closedStream() async throws {
        let told = try await PlaybackPage.told("closedStream")
        #expect(try told.number("before") > 20_000)
        #expect(try told.number("after") == 0)
        #expect(try told.number("beyond") == 1)
    }

    @Test("The position follows the output timestamp, or the latency if the timestamp is implausible")
    func outputStamps() async throws {
        let told = try await PlaybackPage.told("outputStamps")
        #expect(try abs(told.number("usable") - 9850) < 1e-6)
        #expect(try told.number("beyond") == 10_000)
        for stamp in ["ahead", "stale", "held", "none", "unset"] {
            #expect(try abs(told.number(stamp) - 9950) < 1e-6, "\(stamp)")
        }
    }

    @Test("Audio streams for outdated positions and speeds are closed")
    func openStreams() async throws {
        let told = try await PlaybackPage.told("openStreams")
        #expect(try told.number("left") == 0)
    }

    @Test("A loud and a quiet track are normalized to the target loudness, with peaks below the ceiling")
    func normalization() async throws {
        let told = try await PlaybackPage.told("normalization")
        // For a sine in phase on both channels, x dBFS peak equals x LUFS (EBU Tech 3341); its RMS is 3.01 dB lower.
        #expect(try abs(told.number("trackLoud") - (-18 - 3.01)) < 0.1)
        #expect(try abs(told.number("trackQuiet") - (-18 - 3.01)) < 0.1)
        // The encoder changes the level by half a decibel.
        #expect(try told.number("offLoud") - told.number("offQuiet") > 31)
        #expect(try told.number("trackPeak") <= pow(10, -1.0 / 20))
        // −30 LUFS with peaks of −3 dBTP: the ceiling of −1 dBTP allows 2 dB.
        #expect(try told.number("limited") == 2)
        #expect(try told.number("album") == 2)
        #expect(try told.number("ofNone") == 0)
    }

    @Test(
        "Movements of an album keep their relative levels across a gapless join; other tracks are normalized individually"
    )
    func albumLoudness() async throws {
        let told = try await PlaybackPage.told("albumLoudness")
        #expect(try told.text("mode") == "auto")
        let album = try told.list("album")
        #expect(abs(album[0] - album[1]) < 0.05)
        for (gain, expected) in zip(album, try told.list("wholeAlbum")) {
            #expect(abs(gain - expected) < 0.05)
        }
        // As separate tracks, the softer one is raised by the difference.
        let track = try told.list("track")
        #expect(abs(track[1] - track[0] - 20 * log10(0.5 / 0.35)) < 0.1)
        for (gain, expected) in zip(try told.list("apart"), try told.list("apartExpected")) {
            #expect(abs(gain - expected) < 0.05)
        }
    }

    @Test(
        "A track switches to album loudness when its neighbour is queued, and keeps it while it plays"
    )
    func albumIntoQueue() async throws {
        let told = try await PlaybackPage.told("albumIntoQueue")
        #expect(try abs(told.number("trackGain") - told.number("albumGain")) > 1)
        #expect(try abs(told.number("alone") - told.number("trackGain")) < 0.01)
        for name in ["joined", "next", "left"] {
            #expect(try abs(told.number(name) - told.number("albumGain")) < 0.01, "\(name)")
        }
    }

    @Test("A crossfade of the chosen length has equal power")
    func crossfade() async throws {
        let told = try await PlaybackPage.told("crossfadeCurve")
        #expect(try told.number("seconds") == 4)
        #expect(try abs(told.number("startsAt") - (told.number("duration") - 4)) < 0.001)
        for ((share, out), incoming) in zip(
            zip([0.1, 0.25, 0.5, 0.75, 0.9], try told.list("out")), try told.list("in"))
        {
            #expect(abs(out - cos(share * .pi / 2)) < 0.003)
            #expect(abs(incoming - sin(share * .pi / 2)) < 0.003)
        }
    }

    @Test("A crossfade follows the start and end of the host's plan")
    func plan() async throws {
        let told = try await PlaybackPage.told("crossfadePlan")
        #expect(try told.text("kind") == "overlap")
        #expect(try told.number("overlap") > 1)
        for (heard, planned) in [("heardStart", "start"), ("heardEnd", "end"), ("heardEntry", "entry")] {
            #expect(try abs(told.number(heard) - told.number(planned)) < 1.0 / 44_100)
        }
    }

    @Test("Albums stay gapless despite crossfade, and silence is skipped on request")
    func silence() async throws {
        let told = try await PlaybackPage.told("silenceAndAlbums")
        #expect(try told.number("album") == 0)
        #expect(try told.number("plain") == 10)
        // Five seconds of sound after two of silence; the analysis leaves a margin of 50 ms at either end.
        #expect(try told.number("first") <= 0.1)
        #expect(try (5...5.15).contains(told.number("skipping")))
        let level = 0.475 / 2.squareRoot()
        #expect(try abs(told.number("before") / level - 1) < 0.01)
        #expect(try abs(told.number("after") / level - 1) < 0.01)
    }

    @Test("Silence between songs of an album is skipped only if Gapless is off")
    func silenceInAlbums() async throws {
        let told = try await PlaybackPage.told("silenceInAlbums")
        for name in ["gapless", "gaplessSkipping", "apart"] { #expect(try told.number(name) == 5, "\(name)") }
        // Three seconds of sound; the analysis leaves a margin of 50 ms.
        #expect(try (3...3.15).contains(told.number("apartSkipping")))
    }

    @Test("During a crossfade, the incoming track is the current one from its start")
    func currentDuringCrossfade() async throws {
        let told = try await PlaybackPage.told("currentDuringCrossfade")
        #expect(try told.number("planned") == 4)
        #expect(try told.text("from") == "ToneA")
        #expect(try told.text("to") == "ToneB")
        #expect(try told.number("position") < 1)
        #expect(try told.number("moved") > 0.3)
        #expect(try told.number("decks") == 1)
        #expect(try abs(told.number("sought") - 5) < 0.5)
        #expect(try told.text("title") == "ToneB")
    }
}
