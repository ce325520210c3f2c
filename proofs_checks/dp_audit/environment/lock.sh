#!/bin/sh
# Pins the audited libraries and what they need, with hashes, one version for all platforms: locks/*.in -> locks/*.lock.
# Versions already in a lock are kept; `sh lock.sh --upgrade` takes the newest allowed. uv (on the PATH, or UV=...)
# does the resolving. The files name no index, no address and no path of this machine.
set -eu
cd "$(dirname "$0")/locks"
for name in build local central further synthesis tumult accountants opendp-0.15.1 opendp-0.16.0; do
    "${UV:-uv}" pip compile "$name.in" --quiet --output-file "$name.lock" --overrides left_out.txt "$@" \
        --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
        --no-header --no-annotate --no-emit-index-url --no-emit-find-links
    echo "$name.lock: $(grep -c '==' "$name.lock") packages"
done
# The libraries of the npm registry: javascript/package.json -> javascript/package-lock.json.
(cd javascript && npm install --package-lock-only --ignore-scripts --omit-lockfile-registry-resolved --no-audit --no-fund)
