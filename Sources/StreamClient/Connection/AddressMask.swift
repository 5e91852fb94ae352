/// Masks secrets in URLs that appear in user-visible text.
public enum AddressMask {
    /// Returns the text with `***` in place of URL passwords and the values of query parameters that may be secrets.
    public static func masked(_ text: String) -> String {
        text.replacing(/:\/\/[^\/\s@?#]+@/) { _ in "://***@" }
            .replacing(
                /(?i)([?&;](?:[a-z0-9_.%-]*(?:token|key|secret|pass|pwd|auth|sig|credential|session|jwt)[a-z0-9_.%-]*|p|t|s)=)[^&;#\s"'<>]+/
            ) { "\($0.1)***" }
    }
}
