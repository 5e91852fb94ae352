import Settings

/// The page of `--help`.
enum HelpText {
    static let page = """
        stream-host: serves an analysed library as HLS, byte ranges and data.

        usage: stream-host serve --music DIR [options]
               stream-host config [options] [--json|--markdown]   the settings in force, and from where
               stream-host status [--json] [--data DIR]           where the host is reached, who plays what
               stream-host qr [--tunnel | --address URL] [--data DIR]   address and key as a QR code for phones
               stream-host find [--seconds N]                     the hosts that are announced in this network
               stream-host health [options]                       whether the host is up: ends with 0 or 1
               stream-host key show|regenerate|set [--data DIR]

        \(SettingsHelp.options(of: .host))

        Each setting may also stand in the environment (`port` as STREAM_HOST_PORT; MUSIC_DIR, DB_PATH, VIS_CACHE_DIR,
        NAVIDROME_URL and SUBSONIC_… are taken as well) and in the file. The command line goes before the environment,
        that before the file. `stream-host config` shows what is in force and from where. `--no-…` turns a switch off.

        A named tunnel needs its name, its configuration or its token: in a file that only you may read, or as TUNNEL_TOKEN
        in the environment, never on the command line.

        Every request but /health, /openapi.json and /asyncapi.json (descriptions of the API) needs the key: `Authorization: Bearer
        KEY`. `stream-host key show` prints it, `key regenerate` makes a new one and shuts out the old, `key set` takes
        your own from standard input: base64url, 43 characters or more. Ctrl-C lets running answers end.

        Example
          stream-host serve --music ~/Music --host 0.0.0.0
          curl -H "Authorization: Bearer $(stream-host key show)" http://127.0.0.1:8420/tracks/1/stream.m3u8
        """
}
