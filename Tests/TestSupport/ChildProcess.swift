internal import CSpawn
public import Foundation
internal import Glibc
internal import Synchronization

/// A child process under way.
///
/// Not Foundation's `Process`: that lets children inherit each other's descriptors, and so waits for the wrong one's end as well,
/// and crashes where many files are open.
public final class ChildProcess: Sendable {
    /// What a child's input is.
    public enum Input: Sendable {
        /// Ended from the beginning.
        case nothing
        /// A pipe; see ``ChildProcess/input``.
        case pipe
    }

    /// Where a child's output goes.
    public enum Output: Sendable {
        /// Nowhere.
        case nothing
        /// Into a file that is there.
        case file(String)
        /// Into a pipe; see ``ChildProcess/output``. Not for errors.
        case pipe
        /// Into something that is open.
        case descriptor(Int32)
    }

    /// How a child ended.
    public struct End: Sendable {
        /// What it exited with, or the signal that ended it.
        public let status: Int32
        /// Whether a signal ended it.
        public let isBySignal: Bool
    }

    /// The process's number.
    public let id: Int32
    /// The end to write to, where its input is a pipe. Closed with this, at the latest.
    public let input: FileHandle?
    /// The end to read from, where its output is a pipe.
    public let output: FileHandle?

    private let end = Mutex<End?>(nil)

    /// Starts a program, in a process group of its own, with no other descriptors than its first three.
    ///
    /// - Parameters:
    ///   - command: assignments `NAME=value` for its environment, a program, found along PATH, and its arguments. A program
    ///     that is not there exits with 127.
    ///   - directory: where it runs; nil takes this process's own.
    /// - Throws: ``ProcessRun/Failure`` where the system starts nothing.
    public init(
        _ command: [String], directory: String? = nil, input: Input = .nothing, output: Output = .nothing,
        errors: Output = .nothing
    ) throws {
        // The child's ends, which are nothing to this process once it runs.
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
        // Last: from here on `deinit` ends it.
        id = started
    }

    /// A child that nobody has waited for leaves nothing behind.
    deinit {
        guard isRunning else { return }
        kill(-id, SIGKILL)
        _ = wait()
    }

    /// Whether it has not ended yet.
    public var isRunning: Bool { reap() == nil }

    /// Waits for its end. Blocks.
    @discardableResult
    public func wait() -> End {
        while true {
            if let end = reap() { return end }
            // Leaves it to be reaped, so that its number stays its own until that is noted.
            var information = siginfo_t()
            _ = waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT)
        }
    }

    /// Sends it a signal, if it has not ended.
    public func signal(_ number: Int32) {
        // What has ended and was not noted yet keeps its number.
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
