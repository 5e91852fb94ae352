import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Restricts tests to Chromium that need its own commands and arguments: phone screens, other host names, a download folder.
    static var onlyInChromium: Self {
        .enabled(
            if: WebBrowser.Engine.usual == .chromium, "needs Chromium's own commands")
    }
}
