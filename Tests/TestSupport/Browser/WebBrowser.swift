internal import Foundation

/// A real browser without a window, spoken to by WebDriver (W3C).
public final class WebBrowser: Sendable {
    /// A browser that does not start or does not do as it was told.
    public struct Failure: Error, CustomStringConvertible {
        /// What was asked, and what came back.
        public let description: String
    }

    /// What shows the pages.
    public let engine: Engine

    private let driver: ChildProcess
    private let directory: TemporaryDirectory
    private let base: String
    private let session: String

    /// Starts a browser and opens a page.
    ///
    /// - Parameters:
    ///   - engine: which one.
    ///   - page: its address.
    ///   - arguments: more of the browser's own, such as `--host-resolver-rules=…`; for Firefox preferences, as `name=value`.
    /// - Throws: ``Failure`` where the browser or its driver is not installed or does not start.
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
            _ = try await Self.ask(base, "POST", "\(session)/timeouts", ["script": 200_000])
            _ = try await Self.ask(base, "POST", "\(session)/url", ["url": page])
        } catch {
            driver.signal(SIGKILL)
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
        // Not all engines' traces begin with what is wrong.
        let source = """
            const done = arguments[arguments.length - 1], args = Array.from(arguments).slice(0, -1);
            (async () => { \(script) })().then(v => done({value: v}), e => done({error: `${e}\\n${e?.stack ?? ''}`}));
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

    /// Clicks on an element, as a hand does: browsers let pages make sound only after that.
    ///
    /// - Parameter selector: CSS.
    /// - Throws: ``Failure`` where there is none, or it cannot be clicked on.
    public func click(_ selector: String) async throws {
        let found =
            try await Self.ask(
                base, "POST", "\(session)/element", ["using": "css selector", "value": selector])
            as? [String: String]
        guard let element = found?.values.first else { throw Failure(description: "no \(selector)") }
        _ = try await Self.ask(base, "POST", "\(session)/element/\(element)/click", [:])
    }

    /// Gives a command of the DevTools protocol, such as `Emulation.setDeviceMetricsOverride`. Chromium only.
    ///
    /// - Throws: ``Failure`` where the browser does not take it.
    public func devtools(_ command: String, _ parameters: [String: Any] = [:]) async throws {
        _ = try await Self.ask(
            base, "POST", "\(session)/goog/cdp/execute", ["cmd": command, "params": parameters])
    }

    /// Makes the window so large that the page has so many pixels, as far as windows can be so small.
    ///
    /// - Returns: how many it has.
    /// - Throws: ``Failure`` where the browser does not take it.
    @discardableResult
    public func resize(width: Int, height: Int) async throws -> (width: Int, height: Int) {
        var outer = (width: width, height: height)
        var inner = outer
        // What is around the page is known after it was made.
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

    /// What is seen of the page, as PNG.
    ///
    /// - Throws: ``Failure`` where the browser is gone.
    public func screenshot() async throws -> [UInt8] {
        let text = try await Self.ask(base, "GET", "\(session)/screenshot", nil) as? String
        guard let data = text.flatMap({ Data(base64Encoded: $0) }) else {
            throw Failure(description: "no picture")
        }
        return [UInt8](data)
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
    /// WebKit's driver has no way to tell: there a page has to collect them, in `window.toldErrors`.
    ///
    /// - Throws: ``Failure`` where the browser is gone, or nobody collects.
    public func consoleErrors() async throws -> [String] {
        if engine == .webkit {
            let told = try await run("return {errors: window.toldErrors?.splice(0) ?? null};")
            guard let errors = told["errors"] as? [String] else {
                throw Failure(description: "this page collects no errors")
            }
            return errors
        }
        let entries =
            try await Self.ask(base, "POST", "\(session)/se/log", ["type": "browser"]) as? [[String: Any]]
            ?? []
        return entries.filter { $0["level"] as? String == "SEVERE" }.compactMap { $0["message"] as? String }
    }

    /// Ends the browser.
    public func quit() async {
        _ = try? await Self.ask(base, "DELETE", session, nil)
        // It outlives a polite request.
        driver.signal(SIGKILL)
    }

    /// Starts a driver; again where it ends at once, for somebody else may have taken its port.
    private static func startDriver(
        _ engine: Engine, in directory: TemporaryDirectory
    ) async throws -> (driver: ChildProcess, base: String) {
        var log = ""
        for attempt in 1...5 {
            // Below those that systems give to whoever wants any.
            let driven = engine.driver(port: Int.random(in: 20_000..<32_000))
            let name = "log\(attempt)"
            try directory.write([], as: name)
            let file = try FileHandle(forWritingTo: URL(filePath: directory.file(name)))
            defer { try? file.close() }
            // The browser's own rubbish goes where the rest goes. Drivers of ours end when their input is closed, also where this
            // process dies.
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
