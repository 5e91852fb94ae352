internal import HTTPServer

/// The sizes that covers are kept in.
///
/// What a client asks for is rounded up to one of a few steps, so that a picture is kept a few times only, however many
/// kinds of screen there are.
enum CoverSize {
    /// Pixels of the longer side that may be asked for.
    static let range = 16...1600
    /// Pixels of the longer side that are made.
    static let steps = [64, 128, 192, 256, 384, 512, 768, 1024, 1600]

    /// The step for a wish; nil for a wish that is too large.
    static func step(for pixels: Int) -> Int? { steps.first { $0 >= pixels } }
}
