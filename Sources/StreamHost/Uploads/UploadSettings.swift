public import Companion

/// Settings for uploads.
public struct UploadSettings: Sendable {
    /// Pattern for naming files by their tags.
    public var naming = NamingPattern.standard
    /// Limits.
    public var limits = IntakeLimits()
    /// Maximum number of concurrent uploads; further ones are asked to retry later.
    public var concurrentUploads = 4

    /// Creates default settings.
    public init() {}
}
