#!/usr/bin/env bash
# The Python tests of `mvn verify`: style, then pytest in the environment .envs/test. Arguments go to pytest. The
# end-to-end tests come after those of the client, which have checked the style.
# RANKFEED_PYTEST_SELECT is an expression over marks; without it the tests marked nightly are left out.
# With RANKFEED_FAILED=FILE a failed test does not end the build: a line is added to FILE.
# With RANKFEED_COVERAGE=FILE the processes of the client write the lines that they run to FILE.*, for bench/coverage.py.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
root=$(cd "$here/../.." && pwd)

"$root/conf/python/env.sh" test
cd "$here"
# The tests start hundreds of Python processes; without compiled modules, each would compile all that it imports, torch included.
unset PYTHONDONTWRITEBYTECODE
bin=$root/.envs/test/bin
if [[ ${1:-} != tests/e2e ]]; then
    "$bin/ruff" check .
    "$bin/mypy" # the client, the command and the examples, strictly: the wheel ships py.typed
fi
# Two at a time: starting Spark or a feeder keeps one core busy. The tests of a file stay together, for their fixtures.
runner=(-m)
if [[ -n ${RANKFEED_COVERAGE:-} ]]; then
    runner=(-m coverage run --rcfile "$here/pyproject.toml" -m)
    # Their finalizers run wherever coverage.py is, also while it holds its lock, and then wait for it forever.
    set -- --ignore tests/test_interrupts.py --ignore tests/test_worker_interrupts.py "$@"
fi
code=0
"$bin/python" "${runner[@]}" pytest -rfEs --numprocesses 2 --dist loadfile --no-loadscope-reorder --durations 20 \
    -m "${RANKFEED_PYTEST_SELECT:-not nightly}" "$@" || code=$?
if [[ $code == 1 && -n ${RANKFEED_FAILED:-} ]]; then
    echo "Python tests of $1 (lines with FAILED above)" >>"$RANKFEED_FAILED"
    exit 0
fi
exit "$code"
