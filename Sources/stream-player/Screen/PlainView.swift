import ConsoleProgram
import StreamClient

/// Tells what happens in lines, where there is no terminal to draw on.
struct PlainView {
    /// Follows events until playback has ended.
    /// - Returns: the exit code.
    func follow(_ events: AsyncStream<PlaybackEvent>) async -> Int32 {
        var hasFailed = false
        for await event in events {
            switch event {
            case .itemStarted(let item, _): Terminal.complain("playing \(Self.name(item))")
            case .titleChanged(let title): Terminal.complain("now \(Terminal.harmless(title.text))")
            case .noticed(let notice?) where notice != .streaming && notice != .buffering:
                Terminal.complain(notice.description)
            case .failed(let item, let error):
                hasFailed = true
                Terminal.complain("\(Self.name(item)): \(error)")
            case .stateChanged(.stopped(let reason)):
                if case .error = reason { return 1 }
                return hasFailed ? 1 : 0
            default: continue
            }
        }
        return 1
    }

    /// Artist and title.
    static func name(_ item: PlayableItem) -> String {
        Terminal.harmless(item.artist.map { "\($0) - \(item.title)" } ?? item.title)
    }
}
