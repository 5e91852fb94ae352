package import MusicFiles

/// Settings for uploads.
package struct UploadSettings: Sendable {
    /// Pattern for naming files by their tags.
    package var naming = NamingPattern.standard
    /// Limits.
    package var limits = IntakeLimits()
    /// Maximum number of concurrent uploads; further ones are asked to retry later.
    package var concurrentUploads = 4

    /// Creates default settings.
    package init() {}
}
