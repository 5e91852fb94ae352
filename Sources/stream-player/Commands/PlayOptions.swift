import CommandLineProgram
import Foundation
import MusicShared
import StreamClient
import StreamClientLinux

/// The command-line options of `play` and `radio`.
struct PlayOptions {
    var folder = ClientFolder()
    var host: String?
    var key: String?
    var output = "alsa"
    var configuration = PlaybackConfiguration()
    var targetLUFS = -18.0
    var startSeconds = 0.0
    /// How transitions are planned.
    var planning = CrossfadePlan.Options()
    var volume = 1.0
    var recordingPath: String?
    var limitSeconds: Double?
    var isPlain = false
    var network = NetworkKind.wifi

    private static let valued: Set<String> = [
        "--folder", "--host", "--key-file", "--output", "--transition", "--normalize", "--target",
        "--quality", "--from",
        "--volume", "--record", "--for",
    ]

    /// Removes the options from the command line and parses them.
    /// - Throws: `UsageError`.
    init(_ arguments: inout ArgumentList) throws {
        let environment = ProcessInfo.processInfo.environment
        host = environment["STREAM_PLAYER_HOST"]
        key = environment["STREAM_PLAYER_KEY"]
        var normalization = "automatic"
        var options: [(name: String, value: String)] = []
        let flags: Set<String> = ["--skip-silence", "--cellular", "--plain", "--only-when-it-fits"]
        try arguments.takeOptions(flags: flags, valued: Self.valued) {
            options.append(($0, $1))
        }
        for (name, value) in options {
            switch name {
            case "--folder": folder = ClientFolder(value)
            case "--host": host = value
            case "--key-file": key = try KeyFile.key(in: value)
            case "--output": output = value
            case "--transition":
                configuration.transition = try Self.transition(value)
                planning.mode = value == "mix" ? .mix : .crossfade
            case "--only-when-it-fits": planning.onlyWhenItFits = true
            case "--normalize": normalization = value
            case "--target": targetLUFS = try OptionValue.number(value, in: -40 ... -5, for: name)
            case "--quality":
                let level: QualityPolicy.Level = try OptionValue.oneOf(value, for: name)
                configuration.quality.wifi = level
                configuration.quality.cellular = level
            case "--from": startSeconds = try OptionValue.number(value, in: 0...1_000_000, for: name)
            case "--volume": volume = try OptionValue.number(value, in: 0...100, for: name) / 100
            case "--record": recordingPath = value
            case "--for": limitSeconds = try OptionValue.number(value, in: 0.1...10_000_000, for: name)
            case "--skip-silence": configuration.skipsSilence = true
            case "--cellular": network = .cellular
            default: isPlain = true
            }
        }
        guard let levels = PlaybackConfiguration.Normalization(name: normalization, targetLUFS: targetLUFS)
        else {
            throw UsageError(
                message: "--normalize must be automatic, off, track or album, not \(normalization)")
        }
        configuration.normalization = levels
    }

    /// Creates the audio output.
    /// - Throws: `UsageError`.
    func sink() throws -> any AudioSink {
        let parts = output.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first ?? "", parts.count > 1 ? parts[1] : nil) {
        case ("alsa", let device): return ALSASink(device: device ?? "default")
        case ("null", nil): return NullSink()
        case ("null", "fast"): return NullSink(isRealTime: false)
        case ("pipe", let path?): return PipeSink(path: path)
        case ("wav", let path?): return WAVFileSink(path: path)
        case ("wav16", let path?): return WAVFileSink(path: path, form: .integer16)
        default:
            throw UsageError(
                message:
                    "--output must be alsa, alsa:DEVICE, pipe:PATH, null, null:fast, wav:FILE or wav16:FILE"
            )
        }
    }

    private static func transition(_ value: String) throws -> PlaybackConfiguration.Transition {
        guard let transition = PlaybackConfiguration.Transition(name: value) else {
            throw UsageError(
                message: "--transition must be gapless, planned, mix or 0 to 30 seconds, not \(value)")
        }
        return transition
    }
}
