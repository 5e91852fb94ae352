package import Subsonic

extension SubsonicServer {
    /// Returns the server in the settings; nil if they name none.
    /// - Throws: `badSettings`, which says which setting is missing or wrong.
    package init?(_ settings: EffectiveSettings, program: String) throws(SubsonicError) {
        guard let url = settings[\.navidromeURL] else { return nil }
        try self.init(
            url: url,
            credentials: SubsonicCredentials(
                user: settings[\.subsonicUser], password: settings[\.subsonicPassword],
                token: settings[\.subsonicToken], salt: settings[\.subsonicSalt]),
            timeoutSeconds: settings[\.navidromeTimeout], program: program)
    }
}
