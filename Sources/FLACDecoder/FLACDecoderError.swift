/// The reason why libFLAC could not be initialised. Damaged frames are not errors.
package struct FLACDecoderError: Error, Sendable, CustomStringConvertible {
    /// The reason in words.
    package let description: String
}
