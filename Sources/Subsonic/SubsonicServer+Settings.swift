public import Settings

extension SubsonicServer {
    /// The server that the settings name; nil where they name none.
    /// - Throws: `badSettings`, which says what is missing or wrong.
    public init?(_ settings: SettingsInForce, program: String) throws(SubsonicError) {
        guard let url = settings[\.navidromeURL] else { return nil }
        try self.init(
            url: url,
            credentials: SubsonicCredentials(
                user: settings[\.subsonicUser], password: settings[\.subsonicPassword],
                token: settings[\.subsonicToken], salt: settings[\.subsonicSalt]),
            timeoutSeconds: settings[\.navidromeTimeout], program: program)
    }
}
