internal import Foundation

/// Records a station to a file as the data arrives. Only whole frames are written.
final class StationRecorder {
    let path: String
    private let file: FileHandle
    private(set) var titles: [StationTitle] = []
    private(set) var failure: String?

    init(path: String) throws(PlaybackError) {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw PlaybackError(
                .fileUnreadable, "cannot be written: \(String(cString: strerror(errno)))")
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func take(_ frames: [MediaFrame]) {
        guard failure == nil else { return }
        do {
            try file.write(contentsOf: Data(frames.flatMap(\.bytes)))
        } catch {
            failure = error.localizedDescription
        }
    }

    func note(_ title: StationTitle) { titles.append(title) }
}
