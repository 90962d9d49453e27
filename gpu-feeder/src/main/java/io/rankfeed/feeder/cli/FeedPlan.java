package io.rankfeed.feeder.cli;

import io.rankfeed.console.Log;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.Verification;
import io.rankfeed.feeder.diagnose.FeedDiagnosis;
import io.rankfeed.feeder.governor.Governor;
import io.rankfeed.feeder.governor.Limits;
import io.rankfeed.feeder.governor.Tuning;
import io.rankfeed.feeder.plan.NamedOrder;
import io.rankfeed.feeder.plan.PlanOption;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.ranks.RankList;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.feeder.ring.MemoryBudget;
import io.rankfeed.feeder.ring.RingLayout;
import io.rankfeed.feeder.serve.admission.ServeSettings;
import io.rankfeed.feeder.serve.admission.World;
import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.NumberOrAuto;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Feed;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/** What will be served: flags override the feed file, and the feed file overrides the version. */
final class FeedPlan {
    /** Threads that wait for a disk; more of them seldom help. */
    private static final int MAX_READERS = 16;

    private final FeedFlags flags;
    private final FeedConfig config;

    FeedPlan(FeedFlags flags) {
        this.flags = flags;
        config = flags.config == null ? FeedConfig.defaults() : FeedConfig.read(flags.config);
    }

    /** Opens the version, by the plan over it that is to be fed, or the mixture. */
    OpenOrder open(String words) {
        return NamedOrder.open(words, plan());
    }

    /**
     * Returns what finds the opened plan again, also after its name was given to another plan, or other plans were added; empty for a
     * mixture, and for a version that has a plan of its own.
     *
     * @param location the version's folder, or its address
     */
    Optional<String> pinned(String location, OpenOrder opened) {
        String id = opened.order().plan();
        boolean isOwn = opened.isMixture() || opened.order().storage().isPresent();
        return plan().or(() -> isOwn ? Optional.empty() : Optional.of(id))
                .map(words ->
                        PlanOption.pinned(words, VersionLocation.of(location).address(), id));
    }

    private Optional<String> plan() {
        return flags.plan.written().or(config::plan).or(() -> flags.planOfRun);
    }

    /** The lanes to copy to this node: every lane if the world is unknown, because trainers may have any world. */
    LaneSelection lanes() {
        if (flags.world == null) {
            return LaneSelection.all();
        }
        return new LaneSelection(List.copyOf(ranks(flags.world)), flags.world);
    }

    /** The number of threads to begin with. */
    int workers() {
        int processors = Runtime.getRuntime().availableProcessors();
        if (areWorkersAuto()) {
            int ranks = flags.world == null ? 1 : ranks(flags.world).size();
            return FeedDiagnosis.workers(processors, ranks);
        }
        int workers =
                writtenWorkers().map(written -> written.number().getAsInt()).orElse(processors - 1);
        if (workers < 0 || workers > FeedConfig.MAX_WORKERS) {
            throw new ConfigException(
                    "--workers " + workers + ": 0 to " + FeedConfig.MAX_WORKERS + " threads can help");
        }
        return workers;
    }

    private Optional<NumberOrAuto> writtenWorkers() {
        return flags.workers != null ? Optional.of(number("--workers", flags.workers)) : config.workers();
    }

    private boolean areWorkersAuto() {
        return writtenWorkers().filter(NumberOrAuto::isAuto).isPresent();
    }

    private NumberOrAuto writtenDepth() {
        return flags.depth != null ? number("--depth", flags.depth) : config.depth();
    }

    /** @throws ConfigException if the value of a flag is neither a whole number nor auto */
    static NumberOrAuto number(String flag, String value) {
        try {
            return NumberOrAuto.parse(value);
        } catch (BadValue e) {
            throw new ConfigException(flag + ": " + e.getMessage(), e);
        }
    }

    /** Returns what changes the settings that the user leaves to the feeder; empty if there are none. */
    Optional<Governor> governor(GatherPool pool, ServeSettings settings, IntConsumer readAhead, Log log) {
        boolean isDepthAuto = writtenDepth().isAuto();
        if (!areWorkersAuto() && !isDepthAuto) {
            return Optional.empty();
        }
        int processors = Runtime.getRuntime().availableProcessors();
        Tuning start = new Tuning(pool.threads(), settings.slots() - 1);
        Limits bounds = new Limits(
                areWorkersAuto() ? 0 : start.workers(),
                areWorkersAuto() ? Math.max(MAX_READERS, processors) : start.workers(),
                isDepthAuto ? 1 : start.readAhead(),
                start.readAhead());
        return Optional.of(new Governor(start, bounds, processors, pool, readAhead, log));
    }

    /** @throws ConfigException if a feed is unknown, or its lanes do not fit the world or the ranks */
    ServeSettings settings(OpenOrder opened) {
        SortedSet<String> feeds = new TreeSet<>(
                flags.feeds != null
                        ? flags.feeds
                        : opened.order().feeds().stream().map(Feed::name).toList());
        config.feeds().keySet().forEach(opened::feed);
        int maxRanks = 1;
        for (String feed : feeds) {
            int lanes = opened.feed(feed).lanes();
            maxRanks = Math.max(maxRanks, lanes);
            if (flags.world != null && lanes % flags.world != 0) {
                throw new ConfigException("--world " + flags.world + " does not divide the " + lanes
                        + " lanes of feed '" + feed + "' of "
                        + opened.words() + "; choose one of " + World.divisors(lanes)
                        + (opened.isMixture()
                                ? ", or export the members again with multiples of " + flags.world + " lanes"
                                : ", or plan again with other lanes"));
            }
        }
        long filled = opened.filledBytes(feeds);
        return new ServeSettings(
                ranks(maxRanks),
                flags.world == null ? OptionalInt.empty() : OptionalInt.of(flags.world),
                feeds,
                config.columns(),
                config.digests(),
                flags.named,
                writtenDepth().isAuto() ? RingLayout.MIN_SLOTS : depth(),
                depth(),
                memoryBytes(filled),
                filled,
                graceSeconds());
    }

    /** The time at which record batches are compared with their checksums. */
    Verification verification() {
        return flags.verify != null ? flags.verify : config.verify();
    }

    private int graceSeconds() {
        return flags.grace == null
                ? FeedConfig.graceSeconds("grace", config.grace())
                : FeedConfig.graceSeconds("--grace", flags.grace);
    }

    private int depth() {
        int depth = writtenDepth().number().orElse(FeedDiagnosis.MAX_AHEAD + 1);
        if (depth < RingLayout.MIN_SLOTS || depth > RingLayout.MAX_SLOTS) {
            throw new ConfigException("--depth " + depth + ": a ring has " + RingLayout.MIN_SLOTS + " to "
                    + RingLayout.MAX_SLOTS + " slots");
        }
        return depth;
    }

    private SortedSet<Integer> ranks(int maxRanks) {
        if (flags.world != null && flags.world < 1) {
            throw new ConfigException("--world " + flags.world + " must be at least 1");
        }
        if (flags.ranks != null) {
            SortedSet<Integer> ranks = RankList.parse(flags.ranks);
            int max = flags.world != null ? flags.world : maxRanks;
            if (ranks.last() >= max) {
                throw new ConfigException("--ranks " + flags.ranks + ": there are ranks 0 to " + (max - 1));
            }
            return ranks;
        }
        return RankList.below(flags.world != null ? flags.world : maxRanks);
    }

    /** @param filled bytes of the columns that members of a mixture lack */
    private long memoryBytes(long filled) {
        ByteSize memory = flags.memory != null ? flags.memory : config.memory().orElse(null);
        return memory == null ? Long.MAX_VALUE : MemoryBudget.afterFill(memory, filled);
    }
}
