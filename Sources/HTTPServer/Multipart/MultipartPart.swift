/// The headers of a part of `multipart/form-data` (RFC 7578 §4).
package struct MultipartPart: Sendable, Hashable {
    /// The name of the form field.
    package let name: String
    /// The file name given by the client; nil for a plain field. Untrusted: must never be used as a path.
    package let fileName: String?
    /// The media type given by the client, with its parameters.
    package let contentType: String?
}
