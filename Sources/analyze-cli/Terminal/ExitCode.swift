/// Exit codes of the program.
enum ExitCode: Int32 {
    /// Success.
    case success = 0
    /// Some tracks failed, or the requested track was not found.
    case someFailed = 1
    /// Incorrect usage, or a missing prerequisite.
    case cannotRun = 2
    /// Some folders are unavailable and their tracks are kept; otherwise success.
    case someUnavailable = 3
    /// Interrupted by Ctrl-C.
    case interrupted = 130
}
