/// The reason why an object store did not answer a request as wanted.
package struct ObjectStoreError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    package struct Code: Sendable, Hashable {
        private let name: String
        /// There is no such object or bucket.
        package static let notFound = Code(name: "notFound")
        /// The object is not the requested version.
        package static let changed = Code(name: "changed")
        /// The object exists, but must not or cannot be read, for instance because it is archived.
        package static let notReadable = Code(name: "notReadable")
        /// The request was rejected: wrong credentials, for instance.
        package static let rejected = Code(name: "rejected")
        /// The service did not answer, or reported a failure of its own, at every attempt.
        package static let unavailable = Code(name: "unavailable")
        /// The caller cancelled the request.
        package static let cancelled = Code(name: "cancelled")
    }

    /// The kind of failure.
    package let code: Code
    /// A description for people.
    package let description: String
    /// Whether the bucket does not exist, of errors ``Code/notFound``.
    package var isMissingBucket: Bool { description.hasPrefix("NoSuchBucket") }

    /// Maps an answer that is no success.
    init(status: Int, body: [UInt8]) {
        let text = String(decoding: body.prefix(8_192), as: UTF8.self)
        let name = ObjectListing.content(of: "Code", in: text[...]).map(String.init) ?? "status \(status)"
        description = [name, ObjectListing.content(of: "Message", in: text[...]).map(String.init)].compactMap
        { $0 }
        .joined(separator: ": ")
        code =
            switch status {
            case 404: .notFound
            case 412: .changed
            case 403 where name == "InvalidObjectState" || name == "AccessDenied": .notReadable
            case 408, 429, 500...: .unavailable
            default: .rejected
            }
    }

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
