internal import CSpawn
public import Foundation
internal import Glibc
internal import Synchronization

/// A running child process.
///
/// Foundation's `Process` is not used: it lets children inherit each other's descriptors and so also waits for the wrong one to
/// exit, and crashes if many files are open.
public final class ChildProcess: Sendable {
    /// A child's standard input.
    public enum Input: Sendable {
        /// Empty.
        case nothing
        /// A pipe; see ``ChildProcess/input``.
        case pipe
        /// An existing file.
        case file(String)
    }

    /// The destination of a child's output.
    public enum Output: Sendable {
        /// Discarded.
        case nothing
        /// An existing file.
        case file(String)
        /// A pipe; see ``ChildProcess/output``. Not for standard error.
        case pipe
        /// An open descriptor.
        case descriptor(Int32)
    }

    /// How a child ended.
    public struct End: Sendable {
        /// Exit status, or the terminating signal.
        public let status: Int32
        /// Whether it was terminated by a signal.
        public let isBySignal: Bool
    }

    /// Process ID.
    public let id: Int32
    /// Write end of the pipe if the input is one. Closed with this object at the latest.
    public let input: FileHandle?
    /// Read end of the pipe if the output is one.
    public let output: FileHandle?

    private let end = Mutex<End?>(nil)

    /// Starts a program in its own process group, with only its first three descriptors.
    ///
    /// - Parameters:
    ///   - command: assignments `NAME=value` for its environment, a program, found along PATH, and its arguments. A missing
    ///     program exits with 127.
    ///   - directory: working directory; nil for this process's own.
    /// - Throws: ``ProcessRun/Failure`` if the system cannot start a process.
    public init(
        _ command: [String], directory: String? = nil, input: Input = .nothing, output: Output = .nothing,
        errors: Output = .nothing
    ) throws {
        // The child's ends, which this process does not need once it runs.
        var ends: [FileHandle] = []
        defer { for end in ends { try? end.close() } }
        func open(_ output: Output) throws -> (descriptor: Int32, reader: FileHandle?) {
            let reader: FileHandle?
            switch output {
            case .descriptor(let descriptor): return (descriptor, nil)
            case .nothing: return try open(.file("/dev/null"))
            case .file(let path):
                ends.append(try FileHandle(forWritingTo: URL(filePath: path)))
                reader = nil
            case .pipe:
                let pipe = Pipe()
                ends.append(pipe.fileHandleForWriting)
                reader = pipe.fileHandleForReading
            }
            return (ends[ends.count - 1].fileDescriptor, reader)
        }
        let source: FileHandle
        switch input {
        case .nothing:
            source = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
            self.input = nil
        case .pipe:
            let pipe = Pipe()
            source = pipe.fileHandleForReading
            self.input = pipe.fileHandleForWriting
        case .file(let path):
            source = try FileHandle(forReadingFrom: URL(filePath: path))
            self.input = nil
        }
        ends.append(source)
        let (outputDescriptor, reader) = try open(output)
        self.output = reader
        let (errorDescriptor, _) = try open(errors)

        var arguments = (["env"] + command).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let started = spawn_child(
            &arguments, directory, source.fileDescriptor, outputDescriptor, errorDescriptor)
        guard started > 0 else {
            throw ProcessRun.Failure(
                description: "\(command.joined(separator: " ")): \(String(cString: strerror(-started)))")
        }
        // Last: from here on `deinit` kills it.
        id = started
    }

    /// A child that was not waited for is killed and reaped.
    deinit {
        guard isRunning else { return }
        kill(-id, SIGKILL)
        _ = wait()
    }

    /// Whether it is still running.
    public var isRunning: Bool { reap() == nil }

    /// Waits for it to end. Blocks.
    @discardableResult
    public func wait() -> End {
        while true {
            if let end = reap() { return end }
            // Leaves it unreaped, so that its process ID stays reserved until the end is recorded.
            var information = siginfo_t()
            _ = waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT)
        }
    }

    /// Sends a signal unless it has ended.
    public func signal(_ number: Int32) {
        // A process that ended but is not recorded yet keeps its process ID.
        end.withLock { if $0 == nil { _ = kill(id, number) } }
    }

    private func reap() -> End? {
        end.withLock { end in
            if end != nil { return end }
            var status: Int32 = 0
            guard waitpid(id, &status, WNOHANG) == id else { return nil }
            let signal = status & 0x7f
            end = End(status: signal == 0 ? status >> 8 & 0xff : signal, isBySignal: signal != 0)
            return end
        }
    }
}
