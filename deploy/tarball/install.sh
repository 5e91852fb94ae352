#!/bin/sh
# Installs the programs, the web player, manual pages and completions from this folder.
#
#   ./install.sh [PREFIX]      default: /usr/local
#
# The programs also run from this folder, without installing: bin/stream-host --help.
set -eu

prefix=${1:-/usr/local}
case $prefix in
/*) ;;
*)
    echo "install.sh: PREFIX is not an absolute path: $prefix" >&2
    exit 2
    ;;
esac
cd "$(dirname "$0")"
sha256sum --quiet --check SHA256SUMS

mkdir -p "$prefix/bin" "$prefix/share/doc/audio-companion"
# A new file each: a running program keeps the old one.
for program in bin/*; do install -m 755 "$program" "$prefix/$program"; done
# No file of an older web player remains.
rm -rf "$prefix/share/audio-companion/player"
cp -R share/. "$prefix/share/"
cp LICENSE NOTICE CHANGELOG.md RUNNING.md "$prefix/share/doc/audio-companion/"

missing=$(for program in bin/*; do ldd "$prefix/$program"; done | sed -n 's/ => not found//p' | sort -u)
if [ -n "$missing" ]; then
    echo "Installed in $prefix. These libraries are missing:" >&2
    echo "$missing" >&2
    echo "On Debian 12: xargs -a runtime-packages.txt apt-get install -y --no-install-recommends" >&2
    exit 1
fi
echo "Installed in $prefix: $("$prefix/bin/stream-host" --version)"
