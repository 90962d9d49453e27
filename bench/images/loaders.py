"""Runs one loader over one epoch or more in a process of its own, and prints rows per second of each epoch as JSON.

Every loader gives batches of 100 rows with their ids and uint8 RGB [100, 224, 224, 3]. Works:
  jpeg     JPEG files of 250×250, resized bilinearly and mirrored at random, with tokens and labels
  stored   pixels of 256×256, cut to 224 at a random offset and mirrored at random
  python   JPEG files, resized to 256 and changed by the same albumentations function
  photos   as jpeg, with loaders that read a folder of files
The ids of an epoch are checked: none twice, and as many as there are.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path

import numpy as np
import peers
import plain
import processes

BATCH, SIDE = 100, 224

LOADERS = {
    "jpeg": {
        "limit": plain.decoded_in_threads,
        "rankfeed": plain.rankfeed,
        "dataloader-cv2": processes.dataloader_cv2,
        "dataloader-pillow": processes.dataloader_pillow,
        "hf-datasets": processes.hf_datasets,
        "h5py": processes.h5py,
        "litdata": processes.litdata,
        "mds": peers.mds,
        "webdataset": processes.webdataset,
        "petastorm": peers.petastorm,
        "dali": peers.dali,
        "spdl": peers.spdl,
    },
    "stored": {
        "limit": plain.cut_in_threads,
        "rankfeed": plain.rankfeed,
        "dataloader-npy": processes.dataloader_npy,
        "litdata": processes.litdata_stored,
        "mds": peers.mds_stored,
    },
    "python": {
        "dataloader": processes.dataloader_albumentations,
        "rankfeed": plain.rankfeed_albumentations,
        "rankfeed-all": plain.rankfeed_all_albumentations,
    },
    "photos": {
        "rankfeed": plain.rankfeed,
        "files": processes.files,
        "files-in-process": processes.files_in_process,
        "dataloader-cv2": processes.dataloader_cv2,
        "petastorm": peers.petastorm,
    },
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", choices=LOADERS)
    parser.add_argument("loader")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--epochs", type=int, required=True)
    args = parser.parse_args()
    batches = LOADERS[args.work][args.loader](args.data)
    # Worker processes give batches out of shards that end unevenly; the rest of an epoch counts as its last batches.
    per_epoch = args.rows // BATCH * BATCH
    rates = []
    for epoch in range(args.epochs + 1):
        seen: list[np.ndarray] = []
        started, rows = time.perf_counter(), 0
        while rows < per_epoch:
            ids, pixels = next(batches)
            assert pixels.shape == (len(ids), SIDE, SIDE, 3) and pixels.dtype == np.uint8, (pixels.shape, pixels.dtype)
            rows += len(ids)
            seen.append(np.array(ids))
        if epoch:  # the first one warms up
            rates.append(rows / (time.perf_counter() - started))
        found = np.concatenate(seen)
        # The two threads of the limit do not wait for each other at the end of an epoch.
        assert args.loader == "limit" or len(np.unique(found)) == len(found), "a row came twice in an epoch"
    print(json.dumps({"rowsPerSecond": rates}), flush=True)
    os._exit(0)  # the threads of the limit never end


if __name__ == "__main__":
    main()
