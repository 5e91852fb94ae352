internal import FileSystem
internal import MusicShared

/// Records a station to a file as the data arrives. Only whole frames are written.
final class StationRecorder {
    let path: String
    private let file: FileDescriptor
    private(set) var titles: [StationTitle] = []
    private(set) var failure: String?

    init(path: String) throws(PlaybackError) {
        self.path = path
        file = try SystemError.map(to: { PlaybackError(.fileUnreadable, "cannot be written: \($0)") }) {
            () throws(SystemError) in
            try FileDescriptor.open(path, for: .write, .createNew, permissions: 0o666)
        }
    }

    func take(_ frames: [MediaFrame]) {
        guard failure == nil else { return }
        do {
            try file.write(frames.flatMap(\.bytes))
        } catch {
            failure = "\(error)"
        }
    }

    func note(_ title: StationTitle) { titles.append(title) }
}
