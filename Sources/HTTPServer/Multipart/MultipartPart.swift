/// The headers of a part of `multipart/form-data` (RFC 7578 §4).
public struct MultipartPart: Sendable, Hashable {
    /// The name of the form field.
    public let name: String
    /// The file name given by the client; nil for a plain field. Untrusted: must never be used as a path.
    public let fileName: String?
    /// The media type given by the client, with its parameters.
    public let contentType: String?
}
