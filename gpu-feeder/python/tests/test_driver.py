"""Tests when a job starts from an archive of classes, when Spark's own script starts it, and what makes the archive."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import ClassVar

import pytest

from rankfeed_cli import driver
from rankfeed_cli.driver import Driver

# Answers as Spark's launcher does, and archives nothing where it is asked to archive.
JAVA = r"""#!/bin/sh
case "$*" in *launcher.Main*)
    while [ "$1" != org.apache.spark.deploy.SparkSubmit ]; do shift; done
    test $LAUNCHER_FAILS = 1 && exit 1
    test $LAUNCHER_FAILS = usage && set -- "$1" --usage-error
    printf '\0\n'
    printf '%s\0' "$0" -cp "$SPARK_CONF_DIR/:$SPARK_HOME/jars/*${HADOOP_CONF_DIR:+:$HADOOP_CONF_DIR}"
    printf '%s\0' -Xmx2g --add-modules=jdk.incubator.vector --add-opens=java.base/sun.security.action=ALL-UNNAMED "$@"
    exit 0;;
esac
for word; do
    case "$word" in -XX:ArchiveClassesAtExit=*) echo classes > "${word#*=}"; exit $JOB_FAILS;; esac
done
"""


class Started(subprocess.Popen):
    """The processes that were started, to wait for."""

    makers: ClassVar[list[subprocess.Popen]] = []

    def __init__(self, words, **options):
        super().__init__(words, **options)
        if options.get("start_new_session"):
            self.makers.append(self)


@pytest.fixture
def local(tmp_path, monkeypatch) -> Driver:
    java_home, spark, settings = tmp_path / "java", tmp_path / "spark", tmp_path / "conf"
    for folder in (java_home / "bin", spark / "jars", settings):
        folder.mkdir(parents=True)
    (java_home / "bin" / "java").write_text(JAVA)
    (java_home / "bin" / "java").chmod(0o755)
    (java_home / "release").write_text('JAVA_VERSION="17.0.1"\n')
    (spark / "jars" / "spark-core_2.13-4.2.0.jar").touch()
    (settings / "spark-defaults.conf").write_text("# not spark.master yarn\nspark.master   local[*]\n")
    (tmp_path / "rankfeed.jar").touch()
    for name in ("RANKFEED_AOT", "HADOOP_CONF_DIR"):
        monkeypatch.delenv(name, raising=False)
    variables = {"SPARK_HOME": spark, "SPARK_CONF_DIR": settings, "XDG_CACHE_HOME": tmp_path / "cache"}
    for name, value in {**variables, "LAUNCHER_FAILS": 0, "JOB_FAILS": 0}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setattr(Started, "makers", [])
    monkeypatch.setattr(subprocess, "Popen", Started)
    return Driver(java_home, spark, settings, [tmp_path / "rankfeed.jar"])


def made(local: Driver) -> Path:
    """Returns the archive after a first start."""
    assert local.command([], [])
    for maker in Started.makers:
        assert maker.wait(60) == 0
    return local.archive()


def test_first_start_makes_the_archive_and_second_uses_it(local):
    archive = made(local)
    assert archive.read_text() == "classes\n"
    assert sorted(file.suffix for file in archive.parent.iterdir()) == [".jsa", ".lock"]
    command = local.command(["--conf", "a=b"], ["--master", "local[2]"])
    assert command[:2] == [str(local.java_home / "bin" / "java"), f"-XX:SharedArchiveFile={archive}"]
    assert command[command.index("-cp") + 1] == f"{local.spark}/jars/*:{local.jars[0]}"
    assert f"-Dlog4j2.configurationFile={local.settings}/log4j2.properties" in command
    assert command[command.index(driver.SUBMIT) + 1 :] == [
        *("--conf", "a=b", "--master", "local[2]"),
        *("--class", "io.rankfeed.spark.RankfeedJobs", "spark-internal"),
    ]
    assert len(Started.makers) == 1


def test_options_that_print_warnings_are_not_passed(local):
    assert "--add-modules=jdk.incubator.vector" not in local.command([], [])
    opened = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"
    assert opened in local.command([], [])
    (local.java_home / "release").write_text('JAVA_VERSION="25.0.1"\n')
    assert opened not in local.command([], [])


def test_archive_switched_off_is_not_made_or_used(local, monkeypatch):
    made(local)
    monkeypatch.setenv("RANKFEED_AOT", "off")
    assert not [word for word in local.command([], []) if word.startswith(("-XX:Shared", "-Xlog", "-Xshare"))]
    (local.java_home / "release").write_text('JAVA_VERSION="25.0.1"\n')
    assert local.command([], [])
    assert len(Started.makers) == 1


@pytest.mark.parametrize(
    "given",
    [
        "--master yarn",
        "--master=spark://host:7077",
        "--master local-cluster[2,1,1024]",
        "--conf spark.master=k8s://https://host",
        "--properties-file mine.conf",
        "--extra-properties-file mine.conf",
        "--deploy-mode cluster",
        "--jars driver.jar",
        "--packages org.postgresql:postgresql:42.7.4",
        "--conf spark.jars=driver.jar",
        "--conf spark.driver.userClassPathFirst=true",
    ],
)
def test_other_masters_and_classes_use_spark_submit(local, given):
    assert local.command([], given.split()) is None
    with (local.settings / "spark-defaults.conf").open("a") as settings:
        settings.write(given.replace("--conf ", "").replace("=", " ") + "\n")
    assert local.command([], []) is None


@pytest.mark.parametrize("given", ["--master local", "--driver-memory 8g", "--conf spark.sql.shuffle.partitions=3"])
def test_settings_of_a_local_spark_are_kept(local, given):
    command = local.command([], given.split())
    assert " ".join(command).endswith(f"{given} --class io.rankfeed.spark.RankfeedJobs spark-internal")


def test_class_path_configuration_uses_spark_submit(local, monkeypatch):
    monkeypatch.setenv("HADOOP_CONF_DIR", "/etc/hadoop")
    assert local.command([], []) is None
    monkeypatch.delenv("HADOOP_CONF_DIR")
    (local.settings / "hive-site.xml").touch()
    assert local.command([], []) is None


@pytest.mark.parametrize("how", ["1", "usage"])
def test_spark_submit_reports_what_its_launcher_refuses(local, monkeypatch, how):
    monkeypatch.setenv("LAUNCHER_FAILS", how)
    assert local.command([], []) is None


def test_another_java_or_build_has_another_archive(local):
    archives = {local.archive()}
    local.jars[0].write_text("another build")
    archives.add(local.archive())
    (local.java_home / "release").write_text('JAVA_VERSION="21.0.1"\n')
    archives.add(local.archive())
    local.jars.append(local.spark / "jars" / "spark-core_2.13-4.2.0.jar")
    archives.add(local.archive())
    assert len(archives) == 4


def test_failed_job_leaves_no_archive_and_is_not_repeated(local, monkeypatch):
    monkeypatch.setenv("JOB_FAILS", "1")
    archive = made(local)
    assert [file.suffix for file in archive.parent.iterdir()] == [".lock"]
    assert local.command([], [])
    assert len(Started.makers) == 1
    os.utime(archive.with_suffix(".lock"), (0, 0))
    monkeypatch.setenv("JOB_FAILS", "0")
    assert made(local).is_file()


def test_truncated_archive_is_not_used_and_made_again(local):
    archive = made(local)
    archive.write_text("class")
    assert not [word for word in local.command([], []) if "SharedArchiveFile" in word]
    assert len(Started.makers) == 1
    os.utime(archive.with_suffix(".lock"), (0, 0))
    assert made(local).read_text() == "classes\n"
    assert [word for word in local.command([], []) if "SharedArchiveFile" in word]


def test_few_archives_are_kept(local):
    archives = []
    for build in range(driver.KEPT + 2):
        local.jars[0].write_text("x" * build)
        archives.append(made(local))
        os.utime(archives[-1], (build, build))
    assert [archive.is_file() for archive in archives] == [False, False] + [True] * driver.KEPT


def test_archive_in_a_writable_folder_is_not_used(local):
    archive = made(local)
    other = archive.parent.rename(archive.parent.with_name("of-others"))
    archive.parent.symlink_to(other)
    assert not [word for word in local.command([], []) if "SharedArchiveFile" in word]
    archive.parent.unlink()
    other.rename(archive.parent).chmod(0o775)
    assert not [word for word in local.command([], []) if "SharedArchiveFile" in word]
    archive.parent.chmod(0o700)
    assert [word for word in local.command([], []) if "SharedArchiveFile" in word]


def test_help_of_a_command_makes_no_archive(local):
    assert local.command([], [], makes=False)
    assert not Started.makers


def test_unwritable_cache_folder_is_no_failure(local, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nowhere")
    assert local.command([], [])
    assert not Started.makers
