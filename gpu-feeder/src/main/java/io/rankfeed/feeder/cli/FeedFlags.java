package io.rankfeed.feeder.cli;

import io.rankfeed.schema.config.ByteSize;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of {@code feed}, as they were written; null: not written. */
final class FeedFlags {
    @Option(
            names = "--run",
            paramLabel = "NAME",
            description = "name of the run, by which trainers find it (default: the version's id)")
    @Nullable
    String run;

    @Option(
            names = "--cache",
            paramLabel = "DIR",
            description =
                    "where this node keeps its copies (default: $XDG_CACHE_HOME/rankfeed, else ~/.cache/rankfeed)")
    @Nullable
    Path cache;

    @Option(names = "--in-place", description = "read the version where it lies: right for a fast local disk")
    boolean isInPlace;

    @Option(
            names = "--ranks",
            paramLabel = "LIST",
            description =
                    "global ranks of this node, as in 0-3 (default: all of the world, else every rank there can be)")
    @Nullable
    String ranks;

    @Option(names = "--world", paramLabel = "N", description = "ranks in all (default: what the first trainer says)")
    @Nullable
    Integer world;

    @Option(
            names = "--feeds",
            paramLabel = "NAMES",
            split = ",",
            description = "feeds to serve, as in train,valid (default: all)")
    @Nullable
    List<String> feeds;

    @Option(names = "--depth", paramLabel = "N", description = "slots of every ring (default: 4)")
    @Nullable
    Integer depth;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "threads that help with large batches (default: processors - 1)")
    @Nullable
    Integer workers;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "shared memory that all rings may take, as in 4 GiB",
            converter = SizeConverter.class)
    @Nullable
    ByteSize memory;

    @Option(
            names = "--grace",
            paramLabel = "SECONDS",
            description = "how long trainers wait for a feeder that is gone (default: 30)")
    @Nullable
    Integer graceSeconds;

    @Option(names = "--config", paramLabel = "FILE", description = "a feed file (conf/feeds/*.yaml); flags win over it")
    @Nullable
    Path config;

    @Option(names = "--report", paramLabel = "FILE", description = "keep what each rank took in this JSON file")
    @Nullable
    Path report;

    @Option(
            names = "--progress",
            paramLabel = "WHEN",
            defaultValue = "auto",
            description = "auto, plain or none (default: auto)")
    ProgressWish progress = ProgressWish.AUTO;

    @Option(names = "--supervised-by", hidden = true)
    long supervisorPid;

    /** How to tell what goes on. */
    enum ProgressWish {
        AUTO,
        PLAIN,
        NONE
    }

    /** {@code 4 GiB} and nothing looser. */
    static final class SizeConverter implements picocli.CommandLine.ITypeConverter<ByteSize> {
        @Override
        public ByteSize convert(String text) {
            return ByteSize.parse(text);
        }
    }
}
