internal import CBuildCommit

/// The version of this project's programs, which are released together.
package enum ProductVersion {
    /// Semantic version. `scripts/version` reads it from this line.
    package static let number = "0.1.0"

    /// Git commit that the program was built from, such as `1a2b3c4d` or `1a2b3c4d+dirty`; nil in development builds and in
    /// builds outside Git.
    package static let commit: String? = {
        let text = String(cString: build_commit())
        return text.isEmpty ? nil : text
    }()

    /// Version and commit, as shown to users: `0.1.0 (1a2b3c4d)`.
    package static let text = commit.map { "\(number) (\($0))" } ?? number
}
