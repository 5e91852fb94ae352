internal import Synchronization

/// A complete MP3 file, read from any position: local, or on a server with range requests.
final class ProgressiveSource: MediaSource {
    private let resource: any ByteResource
    /// The layout, from its first frames, so that they need not be requested again.
    private let known = Mutex<ProgressiveReader.Beginning?>(nil)

    init(resource: any ByteResource) { self.resource = resource }

    func reader(from seconds: Double) -> any MediaReader { reader(from: seconds, opened: nil) }

    /// Returns a reader that starts with an already open read of the beginning.
    func reader(opened run: ByteRun) -> any MediaReader { reader(from: 0, opened: run) }

    private func reader(from seconds: Double, opened run: ByteRun?) -> any MediaReader {
        ProgressiveReader(
            resource: resource, from: seconds, opened: run, known: known.withLock { $0 }
        ) { [weak self] beginning in self?.known.withLock { $0 = beginning } }
    }
}
