package io.rankfeed.feeder.sync;

import io.rankfeed.console.LogLines;
import io.rankfeed.console.ProgressStyle;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenVersion;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A sync in a process of its own that dies, as by kill -9, when a step is reached for the n-th time. */
final class SyncChild {
    static final int KILLED = 137;

    private SyncChild() {}

    /** @param args version, cache folder, step, n */
    public static void main(String[] args) {
        SyncStep fatal = SyncStep.valueOf(args[2]);
        AtomicInteger left = new AtomicInteger(Integer.parseInt(args[3]));
        VersionSync.run(new SyncRequest(
                OpenVersion.folderAt(Path.of(args[0])),
                Path.of(args[1]),
                LaneSelection.all(),
                SyncRequest.Mode.COPY,
                1,
                LogLines.text(System.err),
                ProgressStyle.NONE,
                (step, path) -> {
                    if (step == fatal && left.decrementAndGet() == 0) {
                        Runtime.getRuntime().halt(KILLED);
                    }
                }));
    }
}
