import Companion
import CommandLineProgram
import Subsonic

/// Notifies Navidrome, or another Subsonic server, of a pass that found new or removed tracks.
struct PassRescan {
    private let server: SubsonicServer

    /// Creates a notifier from the settings; nil if no server is configured.
    init?(_ settings: EffectiveSettings) throws {
        guard let server = try SubsonicServer(settings, program: "analyze-cli") else { return nil }
        self.server = server
    }

    /// Requests a scan if a pass has changed the library. Errors are only reported.
    func report(_ summary: PassSummary) {
        guard summary.analyzedCount + summary.linkedCount + summary.removedCount > 0 else { return }
        do {
            _ = try server.startScan()
            Terminal.complain("requested a Navidrome scan")
        } catch {
            Terminal.complain(Terminal.harmless("\(error)"))
        }
    }
}
