/// Where an object store is, and the credentials for it.
package struct ObjectStoreSettings: Sendable {
    /// The address of the service without a trailing slash; nil for Amazon S3.
    package var endpoint: String?
    /// Signs the requests; nil for public buckets.
    package var signature: RequestSignature?
    /// The region of the service.
    package var region: String

    /// Reads the environment variables that other tools use, too: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
    /// `AWS_SESSION_TOKEN`, `AWS_REGION` or `AWS_DEFAULT_REGION`, `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`.
    package init(environment: [String: String]) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        region = value("AWS_REGION", "AWS_DEFAULT_REGION") ?? "us-east-1"
        endpoint = value("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL").map {
            $0.hasSuffix("/") ? String($0.dropLast()) : $0
        }
        if let id = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") {
            signature = RequestSignature(
                accessKeyID: id, secretAccessKey: secret, sessionToken: value("AWS_SESSION_TOKEN"),
                region: region)
        }
    }

    /// The address of a bucket. A service of one's own, and names that do not fit a certificate, have it in the path.
    func address(ofBucket bucket: String) -> String {
        if let endpoint { return "\(endpoint)/\(bucket)" }
        return bucket.contains(".")
            ? "https://s3.\(region).amazonaws.com/\(bucket)" : "https://\(bucket).s3.\(region).amazonaws.com"
    }

    /// Percent-encodes all bytes but the unreserved ones of RFC 3986 and those given, as signatures require.
    static func encoded(_ text: String, keeping kept: String = "") -> String {
        let digits = Array("0123456789ABCDEF")
        var encoded = ""
        for byte in text.utf8 {
            let character = Character(Unicode.Scalar(byte))
            let isLetterOrDigit = byte < 128 && (character.isLetter || character.isNumber)
            if isLetterOrDigit || "-._~".contains(character) || kept.contains(character) {
                encoded.append(character)
            } else {
                encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
        return encoded
    }
}
