internal import FileSystem
internal import Foundation
internal import Secrets
internal import Synchronization

/// The current secrets of a running host, as stored in `host.json`.
///
/// `stream-host key` may replace that file while the host runs. Every access checks the file's state first, so a replaced key is
/// rejected from the next request on.
package final class CurrentSecrets: Sendable {
    private struct State {
        var secrets: HostSecrets
        var seen: FileStatus.Version?
    }

    private let dataFolder: String
    private let file: WatchedPath
    private let report: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - secrets: The secrets in use until the file holds a different key.
    ///   - report: Called with a message when the file cannot be read.
    package init(_ secrets: HostSecrets, dataFolder: String, report: @escaping @Sendable (String) -> Void) {
        self.dataFolder = dataFolder
        self.report = report
        file = WatchedPath(HostSecrets.path(in: dataFolder))
        state = Mutex(State(secrets: secrets))
    }

    /// The current secrets. Reads the file if it has changed. If it is missing or damaged, the current key stays valid: the host
    /// must not lock its owner out.
    package var value: HostSecrets {
        let version = file.version
        let (secrets, problem) = state.withLock { state in
            let problem = version == state.seen ? nil : reload(&state, version)
            return (state.secrets, problem)
        }
        if let problem { report("the API key was not reloaded: \(problem)") }
        return secrets
    }

    /// - Returns: Why the file cannot be used; nil if it can.
    private func reload(_ state: inout State, _ version: FileStatus.Version?) -> String? {
        state.seen = version
        do throws(HostError) {
            guard let read = try HostSecrets.existing(dataFolder: dataFolder) else {
                return "\(HostSecrets.path(in: dataFolder)) is missing"
            }
            if read.apiKey.bytes != state.secrets.apiKey.bytes { state.secrets = read }
            return nil
        } catch {
            return error.message
        }
    }
}
