import CommandLineProgram
import PostgreSQLDatabase
import SharedListening

extension PostgreSQLListening {
    /// Returns the shared listening data that the settings name; nil if they name none.
    /// - Throws: `UsageError` for a malformed address, and for a password on the command line.
    convenience init?(_ settings: EffectiveSettings) throws {
        guard let text = settings[\.listening] else { return nil }
        let address: PostgreSQLAddress
        do throws(PostgreSQLError) { address = try PostgreSQLAddress(text) } catch {
            throw UsageError(message: "--listening: \(error)")
        }
        if address.hasPassword, case .commandLine = settings.origin(\.listening) {
            throw UsageError(
                message:
                    "--listening: other users of this machine can see a password on the command line; write the address to the settings file or set STREAM_HOST_LISTENING, or keep the password in ~/.pgpass"
            )
        }
        self.init(address)
    }
}
