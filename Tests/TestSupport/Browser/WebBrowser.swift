internal import Foundation

/// A real headless browser, controlled by WebDriver (W3C).
public final class WebBrowser: Sendable {
    /// A browser that does not start or does not follow a command.
    public struct Failure: Error, CustomStringConvertible {
        /// The command and the response.
        public let description: String
    }

    /// The engine.
    public let engine: Engine

    private let driver: ChildProcess
    private let directory: TemporaryDirectory
    private let base: String
    private let session: String

    /// Starts a browser and opens a page.
    ///
    /// - Parameters:
    ///   - engine: the engine to use.
    ///   - page: URL of the page.
    ///   - arguments: additional arguments such as `--host-resolver-rules=…`; for Firefox preferences, as `name=value`.
    /// - Throws: ``Failure`` if the browser or its driver is not installed or does not start.
    public init(_ engine: Engine = .usual, open page: String, arguments: [String] = []) async throws {
        self.engine = engine
        directory = try TemporaryDirectory()
        (driver, base) = try await Self.startDriver(engine, in: directory)
        do {
            let wanted = engine.capabilities(arguments, profile: directory.file("profile"))
            let made = try await Self.ask(
                base, "POST", "/session", ["capabilities": ["alwaysMatch": wanted]])
            guard let id = (made as? [String: Any])?["sessionId"] as? String else {
                throw Failure(description: "no session: \(String(describing: made))")
            }
            session = "/session/\(id)"
            _ = try await Self.ask(base, "POST", "\(session)/timeouts", ["script": 1_200_000])
            _ = try await Self.ask(base, "POST", "\(session)/url", ["url": page])
        } catch {
            driver.signal(SIGKILL)
            throw error
        }
    }

    /// Opens a page in a new browser while `body` runs, expects no console errors, and quits the browser.
    ///
    /// - Parameters:
    ///   - engine: the engine to use.
    ///   - page: URL of the page.
    ///   - arguments: additional arguments, as for ``init(_:open:arguments:)``.
    ///   - expected: the console errors that are no failure.
    ///   - body: receives the browser.
    /// - Throws: ``Failure`` if the browser does not start or its console has other errors, and what `body` throws.
    public static func with(
        _ engine: Engine = .usual, open page: String, arguments: [String] = [],
        errors expected: ExpectedErrors = .none, _ body: (WebBrowser) async throws -> Void
    ) async throws {
        let browser = try await WebBrowser(engine, open: page, arguments: arguments)
        do {
            try await body(browser)
            try await browser.checkErrors(expected)
        } catch {
            let explained = await browser.explained(error)
            await browser.quit()
            throw explained
        }
        await browser.quit()
    }

    /// Returns a failure with the errors of the console, which may be its cause.
    private func explained(_ error: any Error) async -> any Error {
        guard engine != .webkit, let failure = error as? Failure, let logged = try? await consoleErrors(),
            !logged.isEmpty
        else { return error }
        let lines = [failure.description, "In the console:"] + logged
        return Failure(description: lines.joined(separator: "\n"))
    }

    /// The console errors that a test expects. Browsers log each failed request.
    public enum ExpectedErrors: Sendable {
        case none
        /// Errors that contain one of these texts.
        case containing([String])
        /// Errors are not checked.
        case any
    }

    private func checkErrors(_ expected: ExpectedErrors) async throws {
        var texts: [String] = []
        switch expected {
        case .none: break
        case .containing(let parts): texts = parts
        case .any: return
        }
        let errors = try await consoleErrors().filter { error in !texts.contains { error.contains($0) } }
        guard errors.isEmpty else {
            throw Failure(description: "errors in the console: \(errors.joined(separator: "\n"))")
        }
    }

    /// Runs the body of an async function in the page.
    ///
    /// - Parameters:
    ///   - script: JavaScript; `args` contains the arguments.
    ///   - arguments: values that JSON can represent.
    /// - Returns: the function's result, as represented in JSON.
    /// - Throws: ``Failure`` with the exception thrown by the function.
    public func run(_ script: String, _ arguments: [String] = []) async throws -> [String: Any] {
        // Not all engines start their traces with the error message. The page keeps the result, so that it can be fetched again
        // without running the script twice.
        let name = "result\(UInt64.random(in: .min ... .max))"
        let source = """
            const done = arguments[arguments.length - 1], args = Array.from(arguments).slice(0, -1);
            window.\(name) ??= (async () => { \(script) })();
            window.\(name).then(v => done({value: v}), e => done({error: `${e}\\n${e?.stack ?? ''}`}));
            """
        var answer: [String: Any]?
        for attempt in 1... {
            do {
                answer =
                    try await Self.ask(
                        base, "POST", "\(session)/execute/async", ["script": source, "args": arguments])
                    as? [String: Any]
                break
            } catch let failure as Failure
                where attempt < 3 && failure.description.contains("Could not parse script result")
            {
                // WebKit's driver occasionally loses the result of a finished script.
            }
        }
        guard let value = answer?["value"] as? [String: Any] else {
            throw Failure(description: "\(answer?["error"] ?? "no answer")")
        }
        return value
    }

    /// Clicks an element as a user would: browsers allow sound only after a click.
    ///
    /// - Parameter selector: CSS selector.
    /// - Throws: ``Failure`` if there is no such element, or it cannot be clicked.
    public func click(_ selector: String) async throws {
        let found =
            try await Self.ask(
                base, "POST", "\(session)/element", ["using": "css selector", "value": selector])
            as? [String: String]
        guard let element = found?.values.first else { throw Failure(description: "no \(selector)") }
        _ = try await Self.ask(base, "POST", "\(session)/element/\(element)/click", [:])
    }

    /// Presses and releases a key as a user would: unlike synthetic events, this closes dialogs.
    ///
    /// - Parameter key: WebDriver's code for a key without a character, such as U+E00C for Escape.
    /// - Throws: ``Failure`` if the browser rejects it.
    public func press(_ key: Character) async throws {
        try await act([
            "type": "key", "id": "keyboard",
            "actions": [["type": "keyDown", "value": "\(key)"], ["type": "keyUp", "value": "\(key)"]],
        ])
    }

    /// Taps a point of the page with a finger.
    ///
    /// - Parameters:
    ///   - x: pixels from the left edge of the visible page.
    ///   - y: pixels from the top edge.
    /// - Throws: ``Failure`` if the browser rejects it.
    public func tap(x: Double, y: Double) async throws {
        try await act([
            "type": "pointer", "id": "finger", "parameters": ["pointerType": "touch"],
            "actions": [
                ["type": "pointerMove", "duration": 0, "x": Int(x), "y": Int(y)],
                ["type": "pointerDown", "button": 0], ["type": "pointerUp", "button": 0],
            ],
        ])
    }

    /// Presses the left mouse button at a point of the page, moves the mouse through others, and releases it at the last one.
    ///
    /// - Parameter points: pixels from the left and top edges of the visible page.
    /// - Throws: ``Failure`` if the browser rejects it.
    public func drag(along points: [(x: Double, y: Double)]) async throws {
        var actions: [[String: Any]] = []
        for (index, point) in points.enumerated() {
            actions.append([
                "type": "pointerMove", "duration": index == 0 ? 0 : 100, "x": Int(point.x), "y": Int(point.y),
            ])
            if index == 0 { actions.append(["type": "pointerDown", "button": 0]) }
        }
        actions.append(["type": "pointerUp", "button": 0])
        try await act([
            "type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"], "actions": actions,
        ])
    }

    private func act(_ source: [String: Any]) async throws {
        _ = try await Self.ask(base, "POST", "\(session)/actions", ["actions": [source]])
    }

    /// Sends a command of the DevTools protocol, such as `Emulation.setDeviceMetricsOverride`. Chromium only.
    ///
    /// - Throws: ``Failure`` if the browser rejects it.
    public func devtools(_ command: String, _ parameters: [String: Any] = [:]) async throws {
        _ = try await Self.ask(
            base, "POST", "\(session)/goog/cdp/execute", ["cmd": command, "params": parameters])
    }

    /// Resizes the window to give the page a size in pixels, subject to the minimum window size.
    ///
    /// - Returns: the actual size.
    /// - Throws: ``Failure`` if the browser rejects it.
    @discardableResult
    public func resize(width: Int, height: Int) async throws -> (width: Int, height: Int) {
        var outer = (width: width, height: height)
        var inner = outer
        // The size of the window frame is only known after resizing once.
        for _ in 0..<2 {
            _ = try await Self.ask(
                base, "POST", "\(session)/window/rect",
                ["x": 0, "y": 0, "width": outer.width, "height": outer.height])
            let page = try await run("return {width: innerWidth, height: innerHeight};")
            inner = (page["width"] as? Int ?? 0, page["height"] as? Int ?? 0)
            outer = (outer.width + width - inner.width, outer.height + height - inner.height)
        }
        return inner
    }

    /// Takes a screenshot of the visible page as PNG.
    ///
    /// - Throws: ``Failure`` if the browser is gone.
    public func screenshot() async throws -> [UInt8] {
        let text = try await Self.ask(base, "GET", "\(session)/screenshot", nil) as? String
        guard let data = text.flatMap({ Data(base64Encoded: $0) }) else {
            throw Failure(description: "no screenshot")
        }
        return [UInt8](data)
    }

    /// Opens another page.
    ///
    /// - Throws: ``Failure`` if it does not load.
    public func open(_ page: String) async throws {
        _ = try await Self.ask(base, "POST", "\(session)/url", ["url": page])
    }

    /// Reloads the page.
    ///
    /// - Throws: ``Failure`` if it does not load.
    public func reload() async throws { _ = try await Self.ask(base, "POST", "\(session)/refresh", [:]) }

    /// Returns the errors logged to the browser's console since the last call.
    ///
    /// WebKit's driver does not support this: there the page must collect them in `window.collectedErrors`.
    ///
    /// - Throws: ``Failure`` if the browser is gone, or the page does not collect errors.
    public func consoleErrors() async throws -> [String] {
        if engine == .webkit {
            let told = try await run("return {errors: window.collectedErrors?.splice(0) ?? null};")
            guard let errors = told["errors"] as? [String] else {
                throw Failure(description: "this page does not collect errors")
            }
            return errors
        }
        let entries =
            try await Self.ask(base, "POST", "\(session)/se/log", ["type": "browser"]) as? [[String: Any]]
            ?? []
        return entries.filter { $0["level"] as? String == "SEVERE" }.compactMap { $0["message"] as? String }
    }

    /// Quits the browser.
    public func quit() async {
        _ = try? await Self.ask(base, "DELETE", session, nil)
        // It does not react to a polite request.
        driver.signal(SIGKILL)
    }

    /// Starts a driver, retrying if it exits immediately, since another process may have taken its port.
    private static func startDriver(
        _ engine: Engine, in directory: TemporaryDirectory
    ) async throws -> (driver: ChildProcess, base: String) {
        var log = ""
        for attempt in 1...5 {
            // Below the range of ephemeral ports.
            let driven = engine.driver(port: Int.random(in: 20_000..<32_000))
            let name = "log\(attempt)"
            try directory.write([], as: name)
            let file = try FileHandle(forWritingTo: URL(filePath: directory.file(name)))
            defer { try? file.close() }
            // The browser's temporary files go to the test's folder. Our own drivers exit when their input is closed, even if
            // this process is killed.
            let driver = try ChildProcess(
                ["TMPDIR=\(directory.path)"] + driven, input: .pipe, output: .descriptor(file.fileDescriptor),
                errors: .descriptor(file.fileDescriptor))
            for _ in 0..<3000 {
                let isRunning = driver.isRunning
                log = String(decoding: try directory.read(name), as: UTF8.self)
                if let port = log.firstMatch(of: /on port (\d+)\./)?.1 {
                    return (driver, "http://127.0.0.1:\(port)")
                }
                guard isRunning else { break }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        throw Failure(description: "the driver of \(engine) did not start: \(log.suffix(1000))")
    }

    private static func ask(_ base: String, _ method: String, _ path: String, _ body: [String: Any]?)
        async throws -> Any?
    {
        var arguments = ["-sS", "-m", "1200", "-X", method, base + path]
        // Scripts may be longer than an argument.
        let directory = try TemporaryDirectory()
        if let body {
            let file = try directory.write(
                [UInt8](JSONSerialization.data(withJSONObject: body)), as: "body.json")
            arguments += ["-H", "Content-Type: application/json", "--data-binary", "@\(file)"]
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
