package io.rankfeed.feeder.cli;

import io.rankfeed.console.LogOption;
import io.rankfeed.console.ProgressOption;
import io.rankfeed.console.ProgressStyle;
import io.rankfeed.feeder.cache.Verification;
import io.rankfeed.feeder.plan.ExternalOption;
import io.rankfeed.feeder.plan.PlanOption;
import io.rankfeed.feeder.ranks.NodeRanks;
import io.rankfeed.feeder.ranks.RankList;
import io.rankfeed.feeder.serve.admission.VersionNamed;
import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.DurationText;
import io.rankfeed.schema.failure.ConfigException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The flags of every command that feeds, as the user wrote them; null if a flag is absent. */
final class FeedFlags {
    private static final String AUTO = "auto";

    @Option(
            names = "--run",
            paramLabel = "NAME",
            description = "Name of the run, by which trainers find it. Default: the version's id; with a command"
                    + " after --, one of this run alone.")
    @Nullable
    String run;

    @Option(
            names = "--cache",
            paramLabel = "DIR",
            description =
                    "Node-local cache directory. Copies are never deleted; delete <cache>/<dataset>/<version id> when"
                            + " nothing reads it any more. Default: $XDG_CACHE_HOME/rankfeed, else $HOME/.cache/rankfeed,"
                            + " else the private folder rankfeed-cache-<uid> in $TMPDIR or /tmp.")
    @Nullable
    Path cache;

    @Option(
            names = "--in-place",
            description =
                    "Read the version in place: right for a fast local disk. Default: from a copy in" + " the cache.")
    boolean isInPlace;

    @Option(
            names = "--ranks",
            paramLabel = "LIST",
            description = "Global ranks of this node, as in 0-3. With --world it also selects the lanes to copy;"
                    + " without --world every lane is copied. auto: ranks and world from the variables of torchrun"
                    + " (in its workers, or PET_…) or of Slurm. Default: all of the world; without --world, every rank"
                    + " that there can be.")
    @Nullable
    String ranks;

    @Option(
            names = "--world",
            paramLabel = "N",
            description = "Number of ranks. With --ranks it also selects the lanes to copy; without --world every"
                    + " lane is copied. Default: what the first trainer says.")
    @Nullable
    Integer world;

    @Option(
            names = "--feeds",
            paramLabel = "NAMES",
            split = ",",
            splitSynopsisLabel = ",",
            description = "Feeds to serve, as in train,valid. Default: all.")
    @Nullable
    List<String> feeds;

    @Option(
            names = "--depth",
            paramLabel = "N|auto",
            description =
                    "Number of slots of each ring. auto: chosen by memory when a trainer attaches, up to 9; how many"
                            + " are filled ahead follows the timers. Default: 4.")
    @Nullable
    String depth;

    @Option(
            names = "--workers",
            paramLabel = "N|auto",
            description = "Number of threads for large batches. auto: as many as help. Default: processors - 1.")
    @Nullable
    String workers;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "Maximum memory of all rings, connection buffers, values of fill in mixtures and images in"
                    + " decoders, as in '4 GiB'. Default: what /dev/shm has free, and 2 GiB for images.",
            converter = SizeConverter.class)
    @Nullable
    ByteSize memory;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            description =
                    "Grace period: how long trainers wait for a feeder that ended, as in '30 s' or '5 min'; a bare"
                            + " number is seconds. Default: 30 s.",
            converter = TimeConverter.class)
    @Nullable
    Duration grace;

    @Option(
            names = "--verify",
            paramLabel = "first-access|start|off",
            description =
                    "When the CRC32C of each record batch is checked: before its first row is served, at the start,"
                            + " or never. Default: first-access.",
            converter = VerificationConverter.class)
    @Nullable
    Verification verify;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "A feed file (conf/feeds/*.yaml); flags win over it. Default: none.")
    @Nullable
    Path config;

    @Mixin
    PlanOption plan = new PlanOption();

    @Mixin
    ExternalOption external = new ExternalOption();

    @Mixin
    private ProgressOption progressOption = new ProgressOption();

    @Mixin
    LogOption logOption = new LogOption();

    @Option(names = "--supervised-by", hidden = true)
    long supervisorPid;

    /** Set by the supervisor, which has resolved the version; otherwise derived from the version argument. */
    @Option(names = "--named", hidden = true)
    VersionNamed named = VersionNamed.FIXED;

    /** The plan over the version where no other is written: that of the run by which the user named the version. */
    Optional<String> planOfRun = Optional.empty();

    /** Replaces {@code --ranks auto} with the ranks that the environment states. */
    void resolveRanks(Map<String, String> environment) {
        if (AUTO.equals(ranks)) {
            NodeRanks node = NodeRanks.of(environment);
            if (world != null && world != node.world()) {
                throw new ConfigException("--world " + world + " is not the " + node.world()
                        + " ranks of --ranks auto; write one of the two");
            }
            ranks = RankList.text(node.ranks());
            world = node.world();
        }
    }

    ProgressStyle progress() {
        return logOption.style(progressOption);
    }

    /** Parses a duration: {@code 30 s} as in a feed file, or whole seconds without a unit. */
    static final class TimeConverter implements picocli.CommandLine.ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return converted(DurationText::parse, text.matches("[0-9]+") ? text + " s" : text);
        }
    }

    /** Parses a size, written as {@code 4 GiB}. */
    static final class SizeConverter implements picocli.CommandLine.ITypeConverter<ByteSize> {
        @Override
        public ByteSize convert(String text) {
            return converted(ByteSize::parse, text);
        }
    }

    /** Parses the time of verification, written as in a feed file: {@code first-access}. */
    static final class VerificationConverter implements picocli.CommandLine.ITypeConverter<Verification> {
        @Override
        public Verification convert(String text) {
            return Stream.of(Verification.values())
                    .filter(when -> when.id().equals(text))
                    .findFirst()
                    .orElseThrow(() ->
                            new TypeConversionException("expected first-access, start or off, not '" + text + "'"));
        }
    }

    /** Converts a flag's value; the error message is that of {@code BadValue}, without the name of the exception's class. */
    private static <T> T converted(Function<String, T> parser, String text) {
        try {
            return parser.apply(text);
        } catch (BadValue e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }
}
