#!/usr/bin/env bash
# The Python half of `mvn verify`: style, then tests, in the environment .envs/test. Arguments go to pytest.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
root=$(cd "$here/../.." && pwd)

if [[ ! -f $here/pyproject.toml || ! -d $here/tests ]]; then
    echo "no Python package in $here: nothing to test"
    exit 0
fi
"$root/conf/python/env.sh" test
cd "$here"
bin=$root/.envs/test/bin
"$bin/ruff" check .
# Two at a time: a start of Spark or of a feeder keeps one core busy. A file's tests stay together, for their fixtures.
exec "$bin/python" -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder --durations 20 "$@"
