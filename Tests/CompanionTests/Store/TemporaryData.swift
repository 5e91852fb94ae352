import Companion
import Foundation
import LibraryStore

/// A data folder for one test, deleted with the last reference.
final class TemporaryData: Sendable {
    let folder: DataFolder

    init() throws {
        folder = try DataFolder(path: NSTemporaryDirectory() + "store-tests-" + UUID().uuidString)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.path) }
}
