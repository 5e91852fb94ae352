public import Companion

/// How uploads are taken.
public struct UploadSettings: Sendable {
    /// How files are named after their tags.
    public var naming = NamingPattern.standard
    /// What is put up with.
    public var limits = IntakeLimits()
    /// Uploads that are received or looked at at the same time; others are asked to come again.
    public var concurrentUploads = 4

    /// The usual settings.
    public init() {}
}
