internal import HTTPServer

/// The sizes of scaled covers.
///
/// A requested size is rounded up to one of a few steps, so that each picture is cached in only a few sizes.
package enum CoverSize {
    /// Allowed range of the requested size, in pixels of the longer side.
    package static let range = 16...1600
    /// Available sizes, in pixels of the longer side.
    package static let steps = [64, 128, 192, 256, 384, 512, 768, 1024, 1600]

    /// Returns the step for a requested size; nil if it is larger than all steps.
    package static func step(for pixels: Int) -> Int? { steps.first { $0 >= pixels } }
}
