/// What stands before the content of a part of `multipart/form-data` (RFC 7578 §4).
public struct MultipartPart: Sendable, Hashable {
    /// The name of the form's field.
    public let name: String
    /// The name that a file had where it comes from; nil for a plain field. Somebody's claim: never to be used as a path.
    public let fileName: String?
    /// The media type that is claimed, with its parameters.
    public let contentType: String?
}
