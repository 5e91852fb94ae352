import CommandLineProgram
import FileSystem
import Foundation
import MusicShared

/// The tunnel to run.
struct TunnelSettings: Sendable {
    /// Whether its name is random or the owner's.
    var mode: TunnelReport.Mode
    /// The program: a path, or a name to look up in `PATH`.
    var program = "cloudflared"
    /// The local address that the tunnel leads to, such as `http://127.0.0.1:8420`.
    var origin: String
    /// Name of a tunnel that was created with `cloudflared tunnel create`.
    var name: String?
    /// Path of cloudflared's configuration file.
    var configuration: String?
    /// The token of a tunnel managed at Cloudflare. Passed in the environment, since all users can read a command line.
    var token: String?
    /// The public DNS name of the tunnel, for when cloudflared does not report it.
    var hostName: String?

    /// Creates the settings of a tunnel to an address.
    init(_ mode: TunnelReport.Mode, origin: String) {
        self.mode = mode
        self.origin = origin
    }

    /// Reads the token from a file that only its owner may read.
    /// - Throws: ``TunnelError`` if it cannot be read, or if others can read it, too.
    static func token(inFile path: String) throws(TunnelError) -> String {
        do throws(UsageError) {
            return try PrivateFile.line(of: path, named: "the token")
        } catch {
            throw TunnelError(.secret, error.message)
        }
    }

    /// The program's command line.
    var arguments: [String] {
        // An update could end the program at any moment.
        var words = ["cloudflared", "tunnel", "--no-autoupdate"]
        switch mode {
        case .quick:
            // An existing configuration of a named tunnel keeps cloudflared from making a quick one.
            return words + ["--config", "/dev/null", "--url", origin]
        case .named:
            if let configuration { words += ["--config", configuration] }
            words += ["run", "--url", origin]
            if token == nil, let name { words.append(name) }
            return words
        }
    }

    /// The program's environment: ours, with the token if there is one.
    var environment: [String] {
        var variables = ProcessInfo.processInfo.environment
        variables["TUNNEL_TOKEN"] = mode == .named ? token : nil
        return variables.map { "\($0)=\($1)" }
    }

    /// The path of the program.
    /// - Throws: ``TunnelError/Code/notInstalled``, with what to do about it.
    func executable() throws(TunnelError) -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
            .split(separator: ":").map { "\($0)/\(program)" }
        for path in program.contains("/") ? [program] : folders {
            if FileManager.default.isExecutableFile(atPath: path),
                (try? Files.status(of: path))?.kind == .file
            {
                return path
            }
        }
        throw TunnelError(
            .notInstalled,
            """
            \(program.contains("/") ? program : "cloudflared") is not there, and the tunnel needs it. To install it:
              Debian, Ubuntu, Raspberry Pi OS:
                sudo mkdir -p --mode=0755 /usr/share/keyrings
                curl -fsSL https://pkg.cloudflare.com/cloudflare-main.gpg \
            | sudo tee /usr/share/keyrings/cloudflare-main.gpg >/dev/null
                echo 'deb [signed-by=/usr/share/keyrings/cloudflare-main.gpg] https://pkg.cloudflare.com/cloudflared any main' \
            | sudo tee /etc/apt/sources.list.d/cloudflared.list
                sudo apt-get update && sudo apt-get install cloudflared
              macOS: brew install cloudflared
              elsewhere: https://developers.cloudflare.com/cloudflare-one/connections/connect-networks/downloads/
            Then start the host again, with the folder of cloudflared in PATH or named by --cloudflared PATH.
            """)
    }
}
