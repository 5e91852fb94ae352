internal import Synchronization

/// A whole MP3 file, read from its beginning or from any place on: on this machine, or on a server by ranges.
final class ProgressiveSource: MediaSource {
    private let resource: any ByteResource
    /// What its first frames told, so that they need not be asked for again.
    private let known = Mutex<ProgressiveReader.Beginning?>(nil)

    init(resource: any ByteResource) { self.resource = resource }

    func reader(from seconds: Double) -> any MediaReader { reader(from: seconds, opened: nil) }

    /// A reader from the beginning on, of bytes that are coming already.
    func reader(opened run: ByteRun) -> any MediaReader { reader(from: 0, opened: run) }

    private func reader(from seconds: Double, opened run: ByteRun?) -> any MediaReader {
        ProgressiveReader(
            resource: resource, from: seconds, opened: run, known: known.withLock { $0 }
        ) { [weak self] beginning in self?.known.withLock { $0 = beginning } }
    }
}
