/// The version of this project's programs, which are released together.
public enum ProductVersion {
    /// Semantic version.
    public static let text = "0.1.0"
}
