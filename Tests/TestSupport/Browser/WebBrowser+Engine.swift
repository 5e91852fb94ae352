internal import Foundation

extension WebBrowser {
    /// What shows pages.
    public enum Engine: String, CaseIterable, Sendable {
        /// Chrome's, and that of Edge, Opera and most others.
        case chromium
        /// Firefox's own.
        case firefox
        /// Safari's, here as WebKitGTK.
        case webkit

        /// The one that the environment names in `BROWSER_ENGINE`; Chromium where it names none.
        public static let usual =
            ProcessInfo.processInfo.environment["BROWSER_ENGINE"].flatMap(Self.init(rawValue:)) ?? .chromium

        /// The command that starts what speaks WebDriver with it. It prints its port, and ends where that is taken.
        ///
        /// - Parameter port: one that may be free.
        func driver(port: Int) -> [String] {
            switch self {
            // Without a port it takes one that is free in IPv6, and ends where the same is taken in IPv4.
            case .chromium: ["chromedriver", "--port=\(port)"]
            case .firefox: ["python3", "-B", Self.script("firefox_driver.py")]
            case .webkit: ["python3", "-B", Self.script("webkit_driver.py"), "\(port)"]
            }
        }

        /// What a session is asked to be like. Nobody is there to click: all sound may be played.
        func capabilities(_ arguments: [String], profile: String) -> [String: Any] {
            switch self {
            case .chromium:
                // Root has no sandbox.
                let options = [
                    "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--mute-audio",
                    "--autoplay-policy=no-user-gesture-required", "--user-data-dir=\(profile)",
                ]
                return [
                    "goog:chromeOptions": ["args": options + arguments],
                    "goog:loggingPrefs": ["browser": "ALL"],
                ]
            case .firefox:
                let preferences = ["media.autoplay.default=0"] + arguments
                return ["moz:firefoxOptions": ["args": preferences]]
            case .webkit:
                let options = ["--automation", "--autoplay-policy=allow"]
                return [
                    "webkitgtk:browserOptions": [
                        "binary": Self.script("minibrowser"), "args": options + arguments,
                    ]
                ]
            }
        }

        private static func script(_ name: String) -> String {
            URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Clients/\(name)")
                .standardized.path(percentEncoded: false)
        }
    }
}
