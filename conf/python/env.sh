#!/usr/bin/env bash
# Makes the Python environments NAME … as .envs/NAME, each from its lock conf/python/NAME.txt; silent when all are current.
#
#   conf/python/env.sh NAME …     spark | train | test | airflow | petastorm | formats | peers-<benchmark> (its lock lies in bench/peers)
#   conf/python/env.sh --lock     rewrites the locks from the *.in files
#
# An environment is current if its stamp names this lock, this Python, this folder and this client package.
# RANKFEED_PYTHON chooses another interpreter than python3. Exit 4: this machine lacks something; the line says what.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
root=$(cd "$here/../.." && pwd)
envs=$root/.envs
client=$root/gpu-feeder/python
uv_version=0.13.8
export UV_PYTHON_DOWNLOADS=never UV_NO_CONFIG=1 UV_LINK_MODE="${UV_LINK_MODE:-}" PIP_DISABLE_PIP_VERSION_CHECK=1
[[ -n $UV_LINK_MODE ]] || unset UV_LINK_MODE

fail() {
    echo "rankfeed: $*" >&2
    exit 4
}

find_python() {
    local name
    for name in ${RANKFEED_PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        # -I: no module of the folder that the user is in.
        if "$name" -I -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            "$name" -I -c 'import sys; print(sys.executable)'
            return
        fi
    done
    fail "${RANKFEED_PYTHON:+RANKFEED_PYTHON=$RANKFEED_PYTHON is }no Python 3.11 or newer with its venv module; install it (Debian: apt-get install python3 python3-venv)" \
        "or name one with RANKFEED_PYTHON"
}

need_space() { # MIB PURPOSE
    local free_mib
    free_mib=$(($(df -Pk "$envs" | awk 'NR == 2 { print $4 }') / 1024))
    ((free_mib >= $1)) || fail "$2 needs $1 MiB under $envs, $free_mib MiB are free; make room and run this again"
}

bring_uv() {
    [[ -x $envs/uv/bin/uv && $("$envs/uv/bin/uv" --version) == "uv $uv_version"* ]] && return
    need_space 100 "uv"
    echo "rankfeed: downloading uv $uv_version into .envs/uv, which installs the Python packages" >&2
    rm -rf "$envs/uv"
    "$python" -I -m venv "$envs/uv" && "$envs/uv/bin/pip" install --quiet "uv==$uv_version" ||
        fail "uv could not be installed (pip's words are above); check the package index and run this again"
}

write_locks() {
    local input
    for input in "$here"/*.in "$root"/bench/peers/*.in; do
        (cd "$(dirname "$input")" && "$envs/uv/bin/uv" pip compile --quiet --universal --python-version 3.11 --no-annotate \
            --no-header --no-emit-index-url "$(basename "$input")" -o "$(basename "$input" .in).txt")
    done
}

make_env() { # NAME
    local name=$1 dir=$envs/$1 lock=$here/$1.txt space_mib=1000 editable='' python=$python stamp
    [[ $name != peers-* ]] || lock=$root/bench/peers/${name#peers-}.txt
    [[ -f $lock ]] || fail "there is no Python environment '$name'; known: $(cd "$here" && echo ./*.txt | sed 's#\./##g; s#\.txt##g')"
    case $name in
        petastorm | peers-petastorm) # its pins have wheels for no other Python, and it has no use for the client
            space_mib=1500
            python=$(python3.11 -c 'import sys; print(sys.executable)' 2>/dev/null) ||
                fail "no Python 3.11, which petastorm 0.13.1's pins need; install it beside the other"
            ;;
        formats | peers-convert | peers-mds) # libraries of other formats, which have no use for the client either
            space_mib=7000
            ;;
        train | test | peers-*)
            space_mib=7000
            [[ ! -f $client/pyproject.toml ]] || editable=$client
            ;;
    esac
    # Without the Python that is first in PATH, which differs from shell to shell: one that is there is good enough.
    stamp="$dir $(cat "$lock" ${editable:+"$client/pyproject.toml"} | sha256sum)"
    [[ -f $dir/stamp && $(<"$dir/stamp") == "$stamp" && -x $dir/bin/python ]] && return
    bring_uv
    need_space "$space_mib" "the Python environment '$name'"
    echo "rankfeed: making the Python environment .envs/$name ($(grep -c == "$lock") packages)" >&2
    rm -f "$dir/stamp"
    [[ -x $dir/bin/python && $("$dir/bin/python" -c 'import sys; print(sys.prefix)') == "$dir" ]] ||
        "$envs/uv/bin/uv" venv --quiet --clear --python "$python" "$dir"
    VIRTUAL_ENV=$dir "$envs/uv/bin/uv" pip sync --quiet "$lock" ||
        fail "the packages of .envs/$name could not be installed (uv's words are above); check the package index and run this again"
    [[ -z $editable ]] || VIRTUAL_ENV=$dir "$envs/uv/bin/uv" pip install --quiet --no-deps --no-build-isolation -e "$editable" ||
        fail "the client package in gpu-feeder/python could not be installed into .envs/$name (uv's words are above)"
    echo "$stamp" >"$dir/stamp"
}

(($#)) || fail "usage: conf/python/env.sh NAME …, where NAME is spark, train, test, airflow, petastorm or formats"
mkdir -p "$envs" || fail "cannot create $envs (mkdir's words are above); use a checkout of your own, or pip install rankfeed"
{ exec 9>"$envs/lock"; } 2>/dev/null ||
    fail "cannot write $envs/lock: permission denied, or a file system without space or for reading only;" \
        "use a checkout of your own, or pip install rankfeed"
flock 9 # two builds on one tree take turns
python=$(find_python)
if [[ $1 == --lock ]]; then
    bring_uv
    write_locks
    exit
fi
for name in "$@"; do
    make_env "$name"
done
