internal import Foundation

extension WebBrowser {
    /// A browser engine.
    public enum Engine: String, CaseIterable, Sendable {
        /// The engine of Chrome, Edge, Opera and most others.
        case chromium
        /// Firefox's own.
        case firefox
        /// Safari's engine, here as WebKitGTK.
        case webkit

        /// The engine named in the environment variable `BROWSER_ENGINE`; Chromium by default.
        public static let usual =
            ProcessInfo.processInfo.environment["BROWSER_ENGINE"].flatMap(Self.init(rawValue:)) ?? .chromium

        /// Returns the command that starts the WebDriver server. It prints its port, and exits if the port is in use.
        ///
        /// - Parameter port: a port that may be free.
        func driver(port: Int) -> [String] {
            switch self {
            // Without a port it picks one that is free in IPv6, and exits if the same port is in use in IPv4.
            case .chromium: ["chromedriver", "--port=\(port)"]
            case .firefox: ["python3", "-B", Self.script("firefox_driver.py")]
            case .webkit: ["python3", "-B", Self.script("webkit_driver.py"), "\(port)"]
            }
        }

        /// Returns the requested session capabilities. There is no user to click, so all sound is allowed.
        func capabilities(_ arguments: [String], profile: String) -> [String: Any] {
            switch self {
            case .chromium:
                // The sandbox does not work for root.
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
