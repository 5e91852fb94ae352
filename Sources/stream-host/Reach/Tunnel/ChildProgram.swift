import CChildProgram
import FileSystem
import Glibc

/// A running program whose output is read here. The system kills it when the thread that started it ends.
struct ChildProgram: ~Copyable {
    let processID: pid_t
    private let output: Int32

    /// Starts the program.
    /// - Parameter arguments: the command line, beginning with the program's name.
    /// - Throws: ``TunnelError/Code/cannotStart``.
    init(path: String, arguments: [String], environment: [String]) throws(TunnelError) {
        var output: Int32 = -1
        let words = arguments.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        let result = child_program_start(path, words, variables, &output)
        for text in words + variables { free(text) }
        guard result > 0 else { throw Self.failure(path, -result) }
        processID = result
        self.output = output
    }

    deinit { close(output) }

    private static func failure(_ path: String, _ error: Int32) -> TunnelError {
        TunnelError(.cannotStart, "\(path) cannot be run: \(SystemError(code: error))")
    }

    /// Passes each line of output to the caller until the output ends. Lines that are too long are cut.
    func forEachLine(longest: Int, _ body: (String) -> Void) {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            for byte in buffer.prefix(count) {
                if byte == UInt8(ascii: "\n") {
                    body(String(decoding: rest, as: UTF8.self))
                    rest.removeAll(keepingCapacity: true)
                } else if rest.count < longest {
                    rest.append(byte)
                }
            }
        }
        if !rest.isEmpty { body(String(decoding: rest, as: UTF8.self)) }
    }

    /// Waits until the program has exited; its process ID stays reserved until ``reap()``.
    func wait() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }

    /// Releases the process ID.
    /// - Returns: how the program exited, as text for people.
    func reap() -> String {
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? "it ended with status \(status >> 8 & 0xFF)" : "signal \(signal) ended it"
    }
}
