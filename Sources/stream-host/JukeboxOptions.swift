import CommandLineProgram
import Jukebox
import MusicShared
import StreamClient

/// Reads the settings of the jukebox.
enum JukeboxOptions {
    /// Returns the settings; nil for no jukebox.
    /// - Throws: `UsageError`.
    static func settings(_ inForce: EffectiveSettings) throws -> JukeboxSettings? {
        let (rate, target) = (inForce[\.jukeboxRate], inForce[\.jukeboxTarget])
        guard [44_100, 48_000, 88_200, 96_000].contains(rate) else {
            throw UsageError(message: "--jukebox-rate must be 44100, 48000, 88200 or 96000, not \(rate)")
        }
        let how = inForce[\.jukeboxTransition]
        guard let transition = PlaybackConfiguration.Transition(name: how) else {
            throw UsageError(
                message: "--jukebox-transition must be gapless, planned, mix or 0 to 30 seconds, not \(how)")
        }
        let levels = inForce[\.jukeboxNormalize]
        guard let normalization = PlaybackConfiguration.Normalization(name: levels, targetLUFS: target) else {
            throw UsageError(
                message: "--jukebox-normalize must be automatic, off, track or album, not \(levels)")
        }
        let role: AccountRole = try OptionValue.oneOf(inForce[\.jukeboxRole], for: "--jukebox-role")
        guard let name = inForce[\.jukebox] else { return nil }
        guard let output = JukeboxSettings.Output(name, sampleRate: rate) else {
            throw UsageError(
                message:
                    "--jukebox must be an ALSA device, alsa, alsa:DEVICE, pipe:PATH or null, not '\(name)'")
        }
        var settings = JukeboxSettings(output: output)
        settings.playback.transition = transition
        settings.playback.normalization = normalization
        settings.planning.targetLUFS = target
        settings.planning.mode = how == "mix" ? .mix : .crossfade
        settings.role = role
        return settings
    }
}
