internal import CFaultGuard
internal import Glibc

/// A marker in a file that records what a thread was working on when it crashed.
///
/// This distinguishes a crash of the analysis (a fault, a failed assertion) from an external termination such as SIGKILL or a
/// power failure, which leaves no marker.
public enum CrashMark {
    /// Runs a body on this thread. If it crashes, a number is written to the file before the process exits.
    /// - Parameters:
    ///   - number: the value to write, not 0: 8 bytes in native byte order.
    ///   - descriptor: a file open for writing.
    ///   - offset: position in the file.
    ///   - arguments: the arguments, from the program's name on, with which the process then runs its program again; if empty, it
    ///     only exits.
    public static func leaving<Value, Failure: Error>(
        _ number: Int, in descriptor: Int32, at offset: Int, running arguments: [String] = [],
        during body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // A crashed process cannot allocate memory.
        let texts = arguments.map { strdup($0) }
        defer { for text in texts { free(text) } }
        let program = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: texts.count + 1)
        defer { program.deallocate() }
        for (index, text) in (texts + [nil]).enumerated() { (program + index).initialize(to: text) }
        crash_mark_begin(descriptor, Int64(offset), Int64(number), texts.isEmpty ? nil : program)
        defer { crash_mark_end() }
        return try body()
    }
}
