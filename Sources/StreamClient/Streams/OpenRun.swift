/// A run of bytes under way: closed by itself where it fails or ends, so that the next read opens another.
struct OpenRun {
    private var run: ByteRun?

    init(_ run: ByteRun? = nil) { self.run = run }

    /// What is being read; nil where it is to be opened first.
    var current: ByteRun? { run }

    /// The next piece; nil at the end.
    mutating func next() async throws(PlaybackError) -> [UInt8]? {
        guard let open = run else { return nil }
        do throws(PlaybackError) {
            let piece = try await open.next()
            if piece == nil { run = nil }
            return piece
        } catch {
            run = nil
            throw error
        }
    }
}
