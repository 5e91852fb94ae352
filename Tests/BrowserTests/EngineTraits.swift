import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// For what makes its surroundings by Chromium's own commands and arguments: a phone's screen, another host's name, a
    /// folder of downloads.
    static var onlyInChromium: Self {
        .enabled(
            if: WebBrowser.Engine.usual == .chromium, "its surroundings are made by Chromium's own commands")
    }
}
