/// The page of `--help`.
enum HelpText {
    static let page = """
        stream-host: serves an analysed library as HLS, byte ranges and data.

        usage: stream-host serve --music DIR [options]
               stream-host status [--json] [--data DIR]
               stream-host qr [--tunnel | --address URL] [--data DIR]
               stream-host find [--seconds N]
               stream-host key show|regenerate|set [--data DIR]

        Options of serve
          --music DIR       the folder of MP3s that `analyze-cli` analysed
          --data DIR        where the databases and the key live            [./data]
          --host ADDRESS    address to listen on; 0.0.0.0 or :: for all     [127.0.0.1]
          --port N          port; 0 for any that is free                    [8420]
          --name TEXT       the name that clients show                      [this machine's]
          --trust-lan       no key: whoever reaches the address is let in
          --certificate FILE --key FILE   serve HTTPS
          --quiet           no access log
          --no-announce     do not tell the local network of the host (through avahi-daemon)
          --tunnel quick    reach the host from outside through Cloudflare, under a name at random
          --tunnel named    the same under your own name, with one of
            --tunnel-name NAME         a tunnel that `cloudflared tunnel create` made
            --tunnel-config FILE       its configuration
            --tunnel-token-file FILE   its token, which only you may read; or TUNNEL_TOKEN in the environment
            --tunnel-hostname NAME     and the name, where cloudflared does not tell it: music.example.com
          --cloudflared PATH           the program, where it is not in PATH

        `status` tells where the host of a data folder is reached, who is connected and what they play. `qr` shows
        address and key as a QR code for phones: the address in the network, or the tunnel's. `find` lists the hosts
        that are announced in this network.

        Every request but /health and /openapi.json (a description of the API) needs the key: `Authorization: Bearer
        KEY`. `stream-host key show` prints it, `key regenerate` makes a new one and shuts out the old, `key set` takes
        your own from standard input: base64url, 43 characters or more. Ctrl-C lets running answers end.

        Example
          stream-host serve --music ~/Music --host 0.0.0.0
          curl -H "Authorization: Bearer $(stream-host key show)" http://127.0.0.1:8420/tracks/1/stream.m3u8
        """
}
