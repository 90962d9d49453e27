# The Spark jobs: init, prepare, sample, export, pipeline. The driver runs here; --spark "--master …" names a cluster.
#
#   conf/python/env.sh spark test && .envs/test/bin/python conf/python/build_wheels.py wheels
#   docker build -f conf/containers/jobs.Dockerfile -t rankfeed-jobs .
#   docker run -v /data:/data rankfeed-jobs pipeline /data/job.yaml --run-id monday
FROM debian:trixie-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates openjdk-21-jre-headless procps python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
COPY wheels /opt/wheels
RUN python3 -m venv /opt/rankfeed \
    && /opt/rankfeed/bin/pip install --no-cache-dir --find-links /opt/wheels 'rankfeed[spark]' \
    && rm -rf /opt/wheels
# A container starts one job: an archive of classes, which its second start would use, is not made.
ENV RANKFEED_AOT=off
ENV PATH=/opt/rankfeed/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
RUN rankfeed --version
ENTRYPOINT ["rankfeed"]
