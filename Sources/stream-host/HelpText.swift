/// The page of `--help`.
enum HelpText {
    static let page = """
        stream-host: serves an analysed library as HLS, byte ranges and data.

        usage: stream-host serve --music DIR [options]
               stream-host key show|regenerate|set [--data DIR]

        Options of serve
          --music DIR       the folder of MP3s that `analyze-cli` analysed
          --data DIR        where the databases and the key live            [./data]
          --host ADDRESS    address to listen on; 0.0.0.0 or :: for all     [127.0.0.1]
          --port N          port; 0 for any that is free                    [8420]
          --name TEXT       the name that clients show                      [this machine's]
          --trust-lan       no key: whoever reaches the address is let in
          --certificate FILE --key FILE   serve HTTPS
          --workers N       files analysed at the same time       [half the processors]
          --scan-interval SECONDS   how often to look through the whole folder for what the system does not tell
                            of, as on network disks; 0 for at the start only             [600]
          --no-watch        do not look for new, changed and deleted files
          --quiet           no access log

        Every request but /health and /openapi.json (a description of the API) needs the key: `Authorization: Bearer
        KEY`. `stream-host key show` prints it, `key regenerate` makes a new one and shuts out the old, `key set` takes
        your own from standard input: base64url, 43 characters or more. Ctrl-C lets running answers end.

        Example
          stream-host serve --music ~/Music --host 0.0.0.0
          curl -H "Authorization: Bearer $(stream-host key show)" http://127.0.0.1:8420/tracks/1/stream.m3u8
        """
}
