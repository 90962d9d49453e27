# A training node: the feeder with its Java, the client for trainers, image steps and the HDFS client. Add your torch.
#
#   conf/python/env.sh spark test && .envs/test/bin/python conf/python/build_wheels.py wheels
#   docker build -f conf/containers/node.Dockerfile -t rankfeed-node .
#   docker run --shm-size 8g -v /data:/data:ro rankfeed-node feed /data/out/shop@latest -- torchrun --standalone train.py
#
# The queue is in /dev/shm, whose size --shm-size sets (Kubernetes: an emptyDir with medium: Memory at /dev/shm).
FROM debian:trixie-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
COPY wheels /opt/wheels
RUN python3 -m venv /opt/rankfeed \
    && /opt/rankfeed/bin/pip install --no-cache-dir --find-links /opt/wheels 'rankfeed[images,remote]' \
    && rm -rf /opt/wheels
ENV PATH=/opt/rankfeed/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
RUN rankfeed --version && rankfeed java
ENTRYPOINT ["rankfeed"]
