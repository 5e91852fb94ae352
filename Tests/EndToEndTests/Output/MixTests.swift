import Foundation
import TestSupport
import Testing

/// `mix`: the plan of a transition, and its sound.
@Suite("Mix")
struct MixTests {
    private let fixture: MusicFixture

    init() throws {
        fixture = try MusicFixture()
        for (number, name) in ["a", "b"].enumerated() {
            let music = PCM.music(frameCount: 30 * 44_100, seed: UInt64(number + 1))
            try fixture.add(
                MusicFixture.tag(title: "Piece \(name)") + Encoders.lame(music, ["-b", "192"]),
                as: "\(name).mp3")
        }
        let pass = try fixture.pass("--quiet")
        #expect(pass.status == 0)
    }

    private func mix(_ options: String...) throws -> ProgramRun {
        try AnalyzeCLI.start(["mix", "--data", fixture.data, "a.mp3", "b.mp3"] + options).wait()
    }

    @Test("The rendered transition begins with the outgoing track at its gain and ends with the incoming one")
    func rendered() throws {
        let directory = try TemporaryDirectory()
        let out = directory.file("mix.wav")
        let run = try mix("--json", "--mode", "crossfade", "--output", "wav:\(out)", "--music", fixture.music)
        #expect(run.status == 0, "\(run.errors)")
        let plan = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let start = try #require(plan["start_seconds"] as? Double)
        let overlap = try #require(plan["overlap_seconds"] as? Double)
        let outgoing = try #require(plan["outgoing"] as? [String: Any])
        let gain = pow(10, try #require(outgoing["gain_db"] as? Double) / 20)
        func samples(_ path: String) throws -> [Float] {
            let run = try ProcessRun.run(
                "ffmpeg", ["-v", "error", "-i", path, "-ac", "2", "-f", "f32le", "-"])
            return run.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        }
        let (made, original) = (try samples(out), try samples(fixture.music + "/a.mp3"))
        let rate = 44_100.0
        let lead = Int((min(15, start) * rate).rounded())
        #expect(abs(Double(made.count / 2) - (min(15, start) + overlap + 15) * rate) <= 2)
        let first = Int((start * rate).rounded()) - lead
        // ffmpeg and mpg123 round differently.
        let difference = (0..<lead - 100).reduce(Float(0)) { most, place in
            max(most, abs(made[2 * place] - original[2 * (first + place)] * Float(gain)))
        }
        #expect(difference < 1e-3)
        #expect(made.suffix(200_000).contains { abs($0) > 0.01 })
    }

    @Test("Wrong options are explained")
    func usage() throws {
        for (options, text) in [
            (["--output", "mix.wav", "--music", fixture.music], "--output must be wav:FILE"),
            (["--output", "wav:x.wav"], "--output and --music belong together"),
            (["--beats", "1"], "--beats"), (["--mode", "loud"], "--mode"),
        ] {
            let run = try AnalyzeCLI.start(["mix", "--data", fixture.data, "a.mp3", "b.mp3"] + options).wait()
            #expect(run.status == 2 && run.errors.contains(text), "\(options): \(run.errors)")
        }
        let unknown = try AnalyzeCLI.start(["mix", "--data", fixture.data, "a.mp3", "none such"]).wait()
        #expect(unknown.status == 1 && unknown.errors.contains("none such"))
    }
}
