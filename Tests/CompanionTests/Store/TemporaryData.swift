import Companion
import Foundation

/// A data folder of a test's own, deleted when the last reference goes away.
final class TemporaryData: Sendable {
    let folder: DataFolder

    init() throws {
        folder = try DataFolder(path: NSTemporaryDirectory() + "store-tests-" + UUID().uuidString)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.path) }
}
