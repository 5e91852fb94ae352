/// Credentials with which a request to Amazon S3, or a service with the same interface, is signed: AWS Signature Version 4.
package struct RequestSignature: Sendable {
    /// Identifies the key.
    package var accessKeyID: String
    /// The secret key.
    package var secretAccessKey: String
    /// The token of temporary credentials; nil for permanent ones.
    package var sessionToken: String?
    /// The region of the service, such as `eu-central-1`.
    package var region: String

    /// The SHA-256 of no bytes, in hexadecimal.
    static let digestOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    /// Memberwise initializer.
    package init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil, region: String) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.region = region
    }
}
