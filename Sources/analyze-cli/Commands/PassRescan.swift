import Companion
import ConsoleProgram
import Settings
import Subsonic

/// Tells Navidrome, or what else speaks the Subsonic API, of a pass that found something new or gone.
struct PassRescan {
    private let server: SubsonicServer

    /// What the settings say; nil where they name no server.
    init?(_ settings: SettingsInForce) throws {
        guard let server = try SubsonicServer(settings, program: "analyze-cli") else { return nil }
        self.server = server
    }

    /// Asks for a scan where a pass has changed the library. What goes wrong is told, and no more.
    func tell(of summary: PassSummary) {
        guard summary.analyzedCount + summary.linkedCount + summary.removedCount > 0 else { return }
        do {
            _ = try server.startScan()
            Terminal.complain("asked Navidrome to look for changes")
        } catch {
            Terminal.complain(Terminal.harmless("\(error)"))
        }
    }
}
