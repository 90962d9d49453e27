package io.rankfeed.job.plan;

import io.rankfeed.job.FeedSection;
import io.rankfeed.job.StrataColumn;
import io.rankfeed.sampling.plan.StoredLists;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.selection.SelectedTrain;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A plan over a train feed of a version (docs/format/plan.md, section 3.7): the numbers that a job with these settings would have of
 * a table with the stored rows.
 */
public final class VersionPlan {
    /** The column of a version whose strata are known by their names alone. */
    public static final String STRATUM = "stratum";

    private VersionPlan() {}

    /**
     * @param settings as {@code sample.<feed>} of a job, without what says which rows there are
     * @param conditions of the stages of the version's own plan
     * @param source the feed of the version
     * @throws ConfigException if a setting is only for an export, or the feed cannot be planned as it is written; others that are
     *     refused are suppressed in it
     */
    public static FeedNumbers of(
            FeedSection settings, SelectedTrain stored, StageConditions conditions, Member.Source source) {
        StoredRules.check(settings, stored, conditions);
        List<String> columns = columns(stored);
        // Stages that choose rows draw the same ones as in the export only if its shares are kept.
        boolean asExported = settings.stages().stream()
                .anyMatch(stage -> stage.where().isPresent() || stage.orderBy().isPresent());
        List<CountedStratum> strata = stored.strata().stream()
                .map(stratum -> new CountedStratum(
                        stratum.name(),
                        stored.columns().isEmpty() ? List.of(stratum.name()) : stratum.values(),
                        stratum.rows(),
                        conditions.taking(stratum, settings.stages()),
                        asExported ? stratum.available() : stratum.rows()))
                .toList();
        boolean isOrdered =
                settings.stages().stream().anyMatch(stage -> stage.orderBy().isPresent());
        boolean isComplete = stored.strata().stream().allMatch(stratum -> stratum.rows() == stratum.available());
        StoredLists lists = new StoredLists(
                source, stored.lanes(), isComplete, stored.list().isHashed(), isOrdered);
        FeedSection section = isWeighed(settings, stored) ? overColumns(settings, columns) : inLanes(settings, stored);
        FeedNumbers numbers = FeedNumbers.ofStored(lists, section, strata, section.onShortage());
        OrderedStages.check((TrainFeed) numbers.feed(), settings.stages(), stored);
        return numbers;
    }

    /** @throws ConfigException if the stored lanes cannot be divided among so many */
    public static void requireLanes(long lanes, SelectedTrain stored) {
        if (lanes < 1 || stored.lanes() % lanes != 0) {
            throw new ConfigException("feed '" + stored.name() + "': lanes: " + lanes + " do not divide the "
                    + stored.lanes() + " that the version stores; take "
                    + IntStream.rangeClosed(1, stored.lanes())
                            .filter(divisor -> stored.lanes() % divisor == 0)
                            .mapToObj(Integer::toString)
                            .collect(Collectors.joining(", ")));
        }
    }

    /** The columns that weights may name. */
    static List<String> columns(SelectedTrain stored) {
        return stored.columns().isEmpty() ? List.of(STRATUM) : stored.columns();
    }

    /** Whether strata have shares. One stratum of a feed that names no columns has all. */
    static boolean isWeighed(FeedSection settings, SelectedTrain stored) {
        return !settings.strata().isEmpty() || stored.strata().size() > 1;
    }

    /** A column that the plan does not use is proportional. */
    private static FeedSection overColumns(FeedSection settings, List<String> columns) {
        Set<String> used = Set.copyOf(
                settings.strata().stream().map(StrataColumn::displayName).toList());
        return settings.withStrata(
                columns.stream().map(StrataColumn::named).toList(),
                Stream.concat(
                                settings.proportional().orElse(List.of()).stream(),
                                columns.stream().filter(column -> !used.contains(column)))
                        .toList());
    }

    /** In a pass, a row that a lane owns comes again after as many draws of its lane as the lane has rows. */
    private static FeedSection inLanes(FeedSection settings, SelectedTrain stored) {
        boolean fewer = settings.epochMode() == EpochMode.PASS && settings.lanes() < stored.lanes();
        long rows = stored.rows() / stored.lanes() * stored.lanes();
        return fewer ? settings.withRows(Math.min(settings.rowsAsked().orElse(rows), rows)) : settings;
    }
}
