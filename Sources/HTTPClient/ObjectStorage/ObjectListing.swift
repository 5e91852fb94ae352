internal import Foundation

/// An object of a bucket.
package struct StoredObject: Sendable, Equatable {
    /// The object's key.
    package var key: String
    /// Size in bytes.
    package var byteCount: Int
    /// Identifies the version (`ETag`), with its quotation marks.
    package var entityTag: String
    /// Time of the last change, in nanoseconds since 1970.
    package var modificationNanoseconds: Int
}

/// One page of the list of a bucket's objects: an answer to `ListObjectsV2` with the encoding type `url`.
struct ObjectListing {
    var objects: [StoredObject] = []
    /// Where the next page starts; nil on the last one.
    var continuation: String?

    /// Reads a page. Nil if it is not such an answer.
    init?(_ body: [UInt8]) {
        guard let text = String(validating: body, as: UTF8.self), text.contains("<ListBucketResult") else {
            return nil
        }
        var rest = text[...]
        while let start = rest.firstRange(of: "<Contents>") {
            rest = rest[start.upperBound...]
            guard let end = rest.firstRange(of: "</Contents>"),
                let object = Self.object(rest[..<end.lowerBound])
            else { return nil }
            objects.append(object)
            rest = rest[end.upperBound...]
        }
        if Self.content(of: "IsTruncated", in: text[...]) == "true" {
            guard let token = Self.content(of: "NextContinuationToken", in: text[...]) else { return nil }
            continuation = Self.plain(token)
        }
    }

    private static func object(_ text: Substring) -> StoredObject? {
        guard
            let key = content(of: "Key", in: text).flatMap({
                plain($0).replacing("+", with: " ").removingPercentEncoding
            }),
            let size = content(of: "Size", in: text).flatMap({ Int($0) }), size >= 0,
            let time = content(of: "LastModified", in: text).flatMap(milliseconds)
        else { return nil }
        return StoredObject(
            key: key, byteCount: size, entityTag: content(of: "ETag", in: text).map(plain) ?? "",
            modificationNanoseconds: time * 1_000_000)
    }

    /// The content of the first element with a name that has no elements in it.
    static func content(of name: String, in text: Substring) -> Substring? {
        guard let start = text.firstRange(of: "<\(name)>") else { return nil }
        let rest = text[start.upperBound...]
        return rest.firstRange(of: "</\(name)>").map { rest[..<$0.lowerBound] }
    }

    /// Replaces the entities that every XML document may contain.
    private static func plain(_ text: Substring) -> String {
        let text = String(text)
        return text.replacing("&quot;", with: "\"").replacing("&#34;", with: "\"").replacing(
            "&apos;", with: "'"
        )
        .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }

    private static func milliseconds(_ text: Substring) -> Int? {
        let style = Date.ISO8601FormatStyle()
        let date =
            (try? style.year().month().day().time(includingFractionalSeconds: true).parse(String(text)))
            ?? (try? style.parse(String(text)))
        return date.flatMap { Int(exactly: ($0.timeIntervalSince1970 * 1_000).rounded()) }
    }
}
