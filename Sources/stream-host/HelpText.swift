import CommandLineProgram

/// The text of `--help`.
enum HelpText {
    static let page = """
        stream-host: serves an analysed music library as HLS, byte ranges and data.

        usage: stream-host serve --music DIR [options]
               stream-host config [options] [--json|--markdown]   show all settings and their sources
               stream-host status [--json] [--data DIR]           show the host's address and its clients
               stream-host qr [--tunnel | --address URL] [--data DIR]   print address and key as a QR code for phones
               stream-host find [--seconds N]                     list the hosts in the local network
               stream-host health [options]                       check whether the host is up: exits with 0 or 1
               stream-host key show|regenerate|set [--data DIR]
               stream-host account list | add NAME [--role listener|editor|owner] [--email ADDRESS] [--no-password]
                                        | role NAME ROLE | password NAME | remove NAME [--data DIR]
                                                                  accounts; passwords are read from standard input
               stream-host account app-password add NAME | list | remove NAME [--account NAME] [--data DIR]
                                                                  passwords for apps, one for each

        \(SettingsHelp.options(of: .host))

        A data folder belongs to one music folder; using it with another one is an error. `serve … --rebind` binds it to the
        given folder: known tracks that it does not contain become unavailable (most of a large library only after
        confirmation); stars and plays are kept.

        Settings can also come from environment variables (`port` as STREAM_HOST_PORT; MUSIC_DIR, DB_PATH, VIS_CACHE_DIR,
        NAVIDROME_URL and SUBSONIC_… are accepted as well) and from the settings file. The command line overrides the
        environment, which overrides the file. `stream-host config` shows the result. `--no-…` turns a switch off.

        A named tunnel needs its name, its configuration or its token: in a file that only you can read, or as TUNNEL_TOKEN
        in the environment, never on the command line.

        All requests except /health, /openapi.json and /asyncapi.json (descriptions of the API) require the API key:
        `Authorization: Bearer KEY`; or an app password of an account, with the rights of its role. `stream-host key show` prints it, `key regenerate` replaces it with a new one, `key set`
        reads your own from standard input: base64url, 43 characters or more. Ctrl-C stops the host after running responses.

        Example
          stream-host serve --music ~/Music --host 0.0.0.0
          curl -H "Authorization: Bearer $(stream-host key show)" http://127.0.0.1:8420/tracks/1/stream.m3u8
        """
}
