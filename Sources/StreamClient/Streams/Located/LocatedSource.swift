internal import MPEGAudio
internal import Synchronization

/// A source whose location is resolved when it is read, and again if it becomes unavailable: reading continues elsewhere at
/// the sample where it was interrupted.
final class LocatedSource: MediaSource {
    private let item: PlayableItem
    private let locator: any MediaLocator
    private let open: @Sendable (PlayableItem.Location) -> any MediaSource
    /// The last location and its source, to reuse the layout that it knows.
    private let last = Mutex<(location: PlayableItem.Location, source: any MediaSource)?>(nil)

    init(
        _ item: PlayableItem, _ locator: any MediaLocator,
        opening open: @escaping @Sendable (PlayableItem.Location) -> any MediaSource
    ) {
        self.item = item
        self.locator = locator
        self.open = open
    }

    func reader(from seconds: Double) -> any MediaReader { LocatedReader(self, from: seconds) }

    /// Returns the current location.
    fileprivate func place(insteadOf failed: PlayableItem.Location?) async -> PlayableItem.Location {
        await locator.location(of: item, insteadOf: failed) ?? item.location
    }

    /// Returns a reader for a location.
    fileprivate func reader(at location: PlayableItem.Location, from seconds: Double) -> any MediaReader {
        let source = last.withLock { last in
            if let last, last.location == location { return last.source }
            let made = open(location)
            last = (location, made)
            return made
        }
        return source.reader(from: seconds)
    }
}

private final class LocatedReader: MediaReader {
    private let source: LocatedSource
    private var seconds: Double
    private var present: (location: PlayableItem.Location, reader: any MediaReader)?

    init(_ source: LocatedSource, from seconds: Double) {
        self.source = source
        self.seconds = seconds
    }

    func next() async throws(PlaybackError) -> MediaPiece? {
        while true {
            guard let present else {
                begin(at: await source.place(insteadOf: nil))
                continue
            }
            do throws(PlaybackError) {
                let piece = try await present.reader.next()
                if case .frames(let frames)? = piece, let last = frames.last, last.endTicks > 0 {
                    seconds = StreamTime.seconds(last.endTicks)
                }
                return piece
            } catch {
                guard Self.mayBeElsewhere(error, present.location) else { throw error }
                let other = await source.place(insteadOf: present.location)
                guard other != present.location else { throw error }
                begin(at: other)
            }
        }
    }

    private func begin(at location: PlayableItem.Location) {
        present = (location, source.reader(at: location, from: seconds))
    }

    private static func mayBeElsewhere(_ error: PlaybackError, _ location: PlayableItem.Location) -> Bool {
        if case .file = location { return [.notFound, .fileUnreadable].contains(error.code) }
        return [.noConnection, .connectionLost, .timedOut].contains(error.code)
    }
}
