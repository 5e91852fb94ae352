internal import Foundation

/// A real browser without a window: Chromium, spoken to by WebDriver (W3C).
public final class WebBrowser: Sendable {
    /// A browser that does not start or does not do as it was told.
    public struct Failure: Error, CustomStringConvertible {
        /// What was asked, and what came back.
        public let description: String
    }

    private let driver: Process
    private let directory: TemporaryDirectory
    private let base: String
    private let session: String

    /// Starts a browser and opens a page.
    ///
    /// - Parameters:
    ///   - page: its address.
    ///   - arguments: more of Chromium's own, such as `--host-resolver-rules=…`.
    /// - Throws: ``Failure`` where Chromium or its driver is not installed or does not start.
    public init(open page: String, arguments: [String] = []) async throws {
        directory = try TemporaryDirectory()
        try directory.write([], as: "log")
        driver = Process()
        driver.executableURL = URL(filePath: "/usr/bin/env")
        driver.arguments = ["chromedriver", "--port=0"]
        driver.standardInput = FileHandle.nullDevice
        driver.standardOutput = FileHandle(forWritingAtPath: directory.file("log"))
        driver.standardError = FileHandle.nullDevice
        // The browser's own rubbish goes where the rest goes.
        driver.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": directory.path]) { $1 }
        try driver.run()
        var port: Substring?
        for _ in 0..<3000 where port == nil {
            try await Task.sleep(for: .milliseconds(100))
            let log = String(decoding: try directory.read("log"), as: UTF8.self)
            port = log.firstMatch(of: /on port (\d+)\./)?.1
        }
        guard let port else {
            Self.end(driver)
            throw Failure(description: "chromedriver did not start")
        }
        base = "http://127.0.0.1:\(port)"
        let options =
            [
                // Root has no sandbox; nobody is there to click.
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--mute-audio",
                "--autoplay-policy=no-user-gesture-required", "--user-data-dir=\(directory.file("profile"))",
            ] + arguments
        do {
            let made = try await Self.ask(
                base, "POST", "/session",
                [
                    "capabilities": [
                        "alwaysMatch": [
                            "goog:chromeOptions": ["args": options], "goog:loggingPrefs": ["browser": "ALL"],
                        ]
                    ]
                ])
            guard let id = (made as? [String: Any])?["sessionId"] as? String else {
                throw Failure(description: "no session: \(String(describing: made))")
            }
            session = "/session/\(id)"
            _ = try await Self.ask(base, "POST", "\(session)/timeouts", ["script": 200_000])
            _ = try await Self.ask(base, "POST", "\(session)/url", ["url": page])
        } catch {
            Self.end(driver)
            throw error
        }
    }

    /// Runs the body of an async function in the page.
    ///
    /// - Parameters:
    ///   - script: JavaScript; `args` holds the arguments.
    ///   - arguments: what JSON can hold.
    /// - Returns: what the function returned, as JSON holds it.
    /// - Throws: ``Failure`` with what the function threw.
    public func run(_ script: String, _ arguments: [String] = []) async throws -> [String: Any] {
        let source = """
            const done = arguments[arguments.length - 1], args = Array.from(arguments).slice(0, -1);
            (async () => { \(script) })().then(v => done({value: v}), e => done({error: String(e && e.stack || e)}));
            """
        let answer =
            try await Self.ask(
                base, "POST", "\(session)/execute/async", ["script": source, "args": arguments])
            as? [String: Any]
        guard let value = answer?["value"] as? [String: Any] else {
            throw Failure(description: "\(answer?["error"] ?? "no answer")")
        }
        return value
    }

    /// Gives a command of the DevTools protocol, such as `Emulation.setDeviceMetricsOverride`.
    ///
    /// - Throws: ``Failure`` where the browser does not take it.
    public func devtools(_ command: String, _ parameters: [String: Any] = [:]) async throws {
        _ = try await Self.ask(
            base, "POST", "\(session)/goog/cdp/execute", ["cmd": command, "params": parameters])
    }

    /// Opens another page.
    ///
    /// - Throws: ``Failure`` where it does not load.
    public func open(_ page: String) async throws {
        _ = try await Self.ask(base, "POST", "\(session)/url", ["url": page])
    }

    /// Loads the page anew.
    ///
    /// - Throws: ``Failure`` where it does not load.
    public func reload() async throws { _ = try await Self.ask(base, "POST", "\(session)/refresh", [:]) }

    /// Errors that the browser's console has been told since it was last asked.
    ///
    /// - Throws: ``Failure`` where the browser is gone.
    public func consoleErrors() async throws -> [String] {
        let entries =
            try await Self.ask(base, "POST", "\(session)/se/log", ["type": "browser"]) as? [[String: Any]]
            ?? []
        return entries.filter { $0["level"] as? String == "SEVERE" }.compactMap { $0["message"] as? String }
    }

    /// Ends the browser.
    public func quit() async {
        _ = try? await Self.ask(base, "DELETE", session, nil)
        Self.end(driver)
    }

    deinit { Self.end(driver) }

    /// The driver outlives a polite request.
    private static func end(_ driver: Process) {
        if driver.isRunning { kill(driver.processIdentifier, SIGKILL) }
    }

    private static func ask(_ base: String, _ method: String, _ path: String, _ body: [String: Any]?)
        async throws -> Any?
    {
        var arguments = ["-sS", "-m", "240", "-X", method, base + path]
        if let body {
            let json = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
            arguments += ["-H", "Content-Type: application/json", "-d", json]
        }
        let run = try await ProcessRun.aside("curl", arguments)
        let object = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
        let value = object?["value"]
        if let error = value as? [String: Any], let code = error["error"] as? String {
            throw Failure(description: "\(method) \(path): \(code): \(error["message"] ?? "")")
        }
        return value
    }
}
