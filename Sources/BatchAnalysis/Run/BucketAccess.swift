internal import Foundation
internal import HTTPClient

extension ObjectStore {
    /// The object store that the environment variables describe.
    static func ofEnvironment(isCancelled: @escaping @Sendable () -> Bool = { false }) -> ObjectStore {
        ObjectStore(
            ObjectStoreSettings(environment: ProcessInfo.processInfo.environment),
            userAgent: "audio-companion",
            isCancelled: isCancelled)
    }
}
