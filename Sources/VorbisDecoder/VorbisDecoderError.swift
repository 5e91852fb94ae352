/// The reason why libvorbis could not be initialised. Damaged packets are not errors.
package struct VorbisDecoderError: Error, Sendable, CustomStringConvertible {
    /// The reason in words.
    package let description: String
}
