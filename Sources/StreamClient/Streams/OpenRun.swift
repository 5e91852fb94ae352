/// An open read that closes itself at the end or on failure, so that the next read opens a new one.
struct OpenRun {
    private var run: ByteRun?

    init(_ run: ByteRun? = nil) { self.run = run }

    /// The open read; nil if one must be opened first.
    var current: ByteRun? { run }

    /// Returns the next piece; nil at the end.
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
