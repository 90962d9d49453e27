"""The images of conf/containers: their RUN steps in a root of their own, made by debootstrap, then the images' command.

It needs root and Debian's packages, on a machine of that kind; Docker does the same with fewer questions.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from launch import PROJECT
from test_wheels import wheels  # noqa: F401

CONTAINERS = PROJECT / "conf" / "containers"
NAMESPACE = "unshare --mount --pid --fork --kill-child sh -c".split()
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
# The index of this machine, for pip in the root.
PASSED = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_INDEX")) or "proxy" in name}

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("apt-get"), reason="needs root and apt-get"),
]


def mirror() -> str:
    """The address from which this machine's apt takes Debian."""
    words = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Origin: Debian", "Label: Debian"]
    found = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    assert found, "apt has no index of Debian: run apt-get update"
    return found[0].rstrip("/")


class Root:
    """A file system with a Debian in it, which commands see as their own."""

    def __init__(self, folder: Path, suite: str):
        tools = folder / "tools"
        tools.mkdir()
        subprocess.run(["apt-get", "download", "debootstrap"], cwd=tools, check=True, capture_output=True)
        (package,) = tools.glob("*.deb")
        subprocess.run(["dpkg-deb", "-x", package, tools], check=True)
        script = tools / "usr" / "share" / "debootstrap"
        if not (script / "scripts" / suite).exists():  # older than the suite, which needs nothing new
            (script / "scripts" / suite).symlink_to("sid")
        self.path = folder / "root"
        words = [tools / "usr" / "sbin" / "debootstrap", "--variant=minbase", suite, self.path, mirror()]
        done = subprocess.run(
            words, env={**os.environ, "DEBOOTSTRAP_DIR": str(script)}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout[-3000:]
        for file in ("/etc/resolv.conf", "/etc/hosts"):
            (self.path / file[1:]).unlink(missing_ok=True)
            shutil.copy(file, self.path / file[1:])
        self.variables = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}

    def run(self, command: str) -> str:
        """Runs a command of the shell with its own processes and devices; returns both outputs."""
        inside = f"mount -t proc proc {self.path}/proc && mount --rbind /dev {self.path}/dev && exec chroot {self.path}"
        variables = " ".join(f"{name}={shlex.quote(value)}" for name, value in {**PASSED, **self.variables}.items())
        done = subprocess.run(
            [*NAMESPACE, f"{inside} env -i {variables} sh -c {shlex.quote(command)}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=1200,
        )
        assert done.returncode == 0, done.stdout[-4000:]
        return done.stdout

    def trust_the_machine(self) -> None:
        """Copies the certificates of this machine, which may have an index of its own."""
        target = self.path / CERTIFICATES[1:]
        if target.is_file():
            shutil.copy(CERTIFICATES, target)


@pytest.fixture
def root():
    """Makes a root with a short path outside of mounts, which is removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="rankfeed-root-"))
    yield lambda suite: Root(folder, suite)
    shutil.rmtree(folder, ignore_errors=True)


def built(file: Path, root: Root, wheels: Path) -> str:  # noqa: F811
    """Executes the steps of a container file; returns its entry point."""
    entry = ""
    steps = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^#.*\n", "", file.read_text()))
    for line in filter(None, steps.splitlines()):
        step, rest = line.split(" ", 1)
        if step == "RUN":
            root.run(rest)
            root.trust_the_machine()
        elif step == "COPY":
            source, target = rest.split()
            assert source == "wheels"
            shutil.copytree(wheels, root.path / target[1:])
        elif step == "ENV":
            name, value = rest.split("=", 1)
            root.variables[name] = value
        elif step == "ENTRYPOINT":
            entry = rest.strip('[]"')
        else:
            assert step == "FROM", f"{file}: {line}"
    return entry


def suite(file: Path) -> str:
    return re.search(r"^FROM debian:([a-z]+)-slim$", file.read_text(), re.MULTILINE)[1]


def test_the_node_image_feeds(root, wheels):  # noqa: F811
    file = CONTAINERS / "node.Dockerfile"
    node = root(suite(file))
    entry = built(file, node, wheels)
    assert "to 4 ranks, which count rows" in node.run(f"{entry} quickstart")
    assert not (node.path / "opt" / "wheels").exists()


def test_the_jobs_image_runs_a_pipeline(root, wheels):  # noqa: F811
    file = CONTAINERS / "jobs.Dockerfile"
    jobs = root(suite(file))
    entry = built(file, jobs, wheels)
    (jobs.path / "data").mkdir()
    jobs.run(f"cd data && {entry} generate codecontests --rows 2000 --out /data/input")
    jobs.run(f"cd data && {entry} init /data/input --out /data/job.yaml --yes")
    jobs.run(f"cd data && {entry} pipeline /data/job.yaml --run-id first --progress none")
    assert list((jobs.path / "data").glob("**/runs/first/run.json"))


def test_image_with_another_python_feeds(root, wheels):  # noqa: F811
    newer = root("forky")
    newer.run("apt-get -o Acquire::Check-Valid-Until=false update")
    newer.run("apt-get install --yes --no-install-recommends ca-certificates python3.14-venv")
    newer.trust_the_machine()
    shutil.copytree(wheels, newer.path / "wheels")
    newer.run("python3.14 -m venv /env && /env/bin/pip install --no-cache-dir --find-links /wheels rankfeed")
    assert "to 4 ranks, which count rows" in newer.run("/env/bin/rankfeed quickstart")
