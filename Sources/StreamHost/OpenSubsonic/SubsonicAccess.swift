internal import Foundation
internal import HostAccounts
internal import HTTPServer
internal import OpenSubsonic

/// Signs apps in at `/rest` by the parameters of the protocol.
struct SubsonicAccess: Sendable {
    /// The longest account name that failures are counted for, in characters.
    private static let countedLength = 64

    let accounts: Accounts
    /// Counts wrong passwords by address, and by address and account.
    let limiter: FailureLimiter

    /// Returns the request with the account that it signs in to.
    /// - Throws: `SubsonicError` 10, 40, 42, 43 or 44.
    func call(_ request: SubsonicRequest) throws(SubsonicError) -> SubsonicCall {
        let credentials = try Self.credentials(of: request)
        // A right password is let in whatever else comes from its address: 120 bits cannot be guessed, so that the limit
        // only has to keep guessers from making work.
        if let (account, password) = accounts.signIn(with: credentials) {
            return SubsonicCall(request: request, account: account, appPassword: password)
        }
        try refuse(credentials, address: request.http.remoteAddress?.host ?? "")
    }

    private func refuse(_ credentials: AppPasswords.Credentials, address: String) throws(SubsonicError)
        -> Never
    {
        let now = ProcessInfo.processInfo.systemUptime
        let (code, name): (SubsonicError.Code, String) =
            switch credentials {
            case .apiKey: (.invalidAPIKey, "")
            case .password(let account, _), .token(let account, _, _): (.wrongCredentials, account)
            }
        let keys = [address, "\(address) \(name.prefix(Self.countedLength))"]
        guard !keys.contains(where: { limiter.isBlocked($0, now: now) }) else {
            throw SubsonicError(
                code, "Too many wrong passwords from this address. Wait a minute and check the password.")
        }
        for key in keys { limiter.failed(key, now: now) }
        switch code {
        case .invalidAPIKey:
            throw SubsonicError(
                code, "Invalid API key. Create an app password with `stream-host account app-password add`.")
        default:
            throw SubsonicError(
                code,
                "Wrong username or password. Apps sign in with an app password: "
                    + "`stream-host account app-password add`.")
        }
    }

    /// Reads the one way to sign in that a request uses. Empty parameters count as absent: clients send them.
    private static func credentials(
        of request: SubsonicRequest
    ) throws(SubsonicError) -> AppPasswords.Credentials {
        func text(_ name: String) -> String? { request.text(name).flatMap { $0.isEmpty ? nil : $0 } }
        let (user, password, token, salt) = (text("u"), text("p"), text("t"), text("s"))
        if let key = text("apiKey") {
            guard user == nil, password == nil, token == nil, salt == nil else {
                throw SubsonicError(
                    .conflictingMechanisms,
                    "Multiple conflicting authentication mechanisms provided: apiKey excludes u, p, t and s.")
            }
            return .apiKey(Array(key.utf8))
        }
        guard password == nil || token == nil && salt == nil else {
            throw SubsonicError(
                .conflictingMechanisms,
                "Multiple conflicting authentication mechanisms provided: p excludes t and s.")
        }
        if user == nil, password == nil, token == nil, text("jwt") != nil {
            throw SubsonicError(
                .mechanismNotSupported,
                "Provided authentication mechanism not supported: use u and p, u, t and s, or apiKey.")
        }
        guard let user else { throw .missing("u") }
        if let password { return .password(account: user, bytes(password)) }
        guard token != nil || salt != nil else { throw .missing("p") }
        guard let token else { throw .missing("t") }
        guard let salt else { throw .missing("s") }
        return .token(account: user, Array(token.lowercased().utf8), salt: Array(salt.utf8))
    }

    /// Decodes a password: plain, or hexadecimal after `enc:`. Malformed digits give an empty one, which is always wrong.
    private static func bytes(_ text: String) -> [UInt8] {
        guard text.hasPrefix("enc:") else { return Array(text.utf8) }
        let digits = Array(text.utf8.dropFirst(4))
        guard digits.count.isMultiple(of: 2) else { return [] }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
            // A sign is no digit.
            guard pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16) else { return [] }
            bytes.append(byte)
        }
        return bytes
    }

    /// Decodes a password that a person chose, as ``bytes(_:)`` does.
    static func plain(_ text: String) -> String { String(decoding: bytes(text), as: UTF8.self) }
}
