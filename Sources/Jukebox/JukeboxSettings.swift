package import MusicShared
package import StreamClient
internal import StreamClientLinux

/// Settings of the jukebox.
package struct JukeboxSettings: Sendable {
    /// Where the sound goes.
    package enum Output: Sendable, Equatable, CustomStringConvertible {
        /// An ALSA device.
        case alsa(String)
        /// A FIFO, which another program reads.
        case pipe(path: String, sampleRate: Int)
        /// Nowhere, at the speed of playback.
        case null

        /// Parses `alsa`, `alsa:DEVICE`, `pipe:PATH`, `null`, or the bare name of an ALSA device; nil for an empty name.
        /// - Parameter sampleRate: the rate of the samples in a FIFO, in Hz.
        package init?(_ text: String, sampleRate: Int) {
            func rest(_ prefix: String) -> String? {
                text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
            }
            switch text {
            case "null": self = .null
            case "alsa": self = .alsa("default")
            default:
                if let path = rest("pipe:") {
                    self = .pipe(path: path, sampleRate: sampleRate)
                    if path.isEmpty { return nil }
                } else {
                    let device = rest("alsa:") ?? text
                    self = .alsa(device)
                    if device.isEmpty { return nil }
                }
            }
        }

        /// The output as it is shown to users.
        package var description: String {
            switch self {
            case .alsa(let device): "alsa:\(device)"
            case .pipe(let path, _): "pipe:\(path)"
            case .null: "null"
            }
        }

        /// Creates the audio output.
        func sink() -> any AudioSink {
            switch self {
            case .alsa(let device): ALSASink(device: device)
            case .pipe(let path, let sampleRate): PipeSink(path: path, sampleRate: sampleRate)
            case .null: NullSink()
            }
        }
    }

    /// Where the sound goes.
    package var output: Output
    /// Transition, loudness and buffering.
    package var playback = PlaybackConfiguration()
    /// How transitions are planned.
    package var planning = CrossfadePlan.Options()
    /// The role that an account needs to control the jukebox.
    package var role = AccountRole.listener

    /// Creates default settings for an output.
    package init(output: Output) { self.output = output }
}
