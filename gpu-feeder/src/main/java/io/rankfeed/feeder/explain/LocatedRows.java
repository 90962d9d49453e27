package io.rankfeed.feeder.explain;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.external.ExternalFiles;
import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.failure.Printable;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.run.MixtureName;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Describes the rows of a batch: their identity, in a mixture their member, their address in the cache, and their source file and row. */
public final class LocatedRows {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private final Feed feed;
    private final LaneCache cache;
    private final MappedColumn rowId;
    private final MappedColumn source;
    private final MappedColumn sourceRow;
    private final List<String> names;
    private final List<CellText> columns;
    /** By member of the feed. */
    private final List<OpenVersion> versions;
    /** By member, the folder that paths are relative to. */
    private final List<Path> folders;
    /** By member. */
    private final List<Optional<PackedRows>> packed;
    /** The names of members; empty if the feed is one of a version. */
    private final List<String> members;

    /** @param columns columns whose values are also shown */
    public LocatedRows(OpenOrder opened, Feed feed, LaneCache cache, List<String> columns) {
        this.feed = feed;
        this.cache = cache;
        this.rowId = cache.column(CacheColumn.ROW_ID.name());
        this.source = cache.column(CacheColumn.SOURCE.name());
        this.sourceRow = cache.column(CacheColumn.SOURCE_ROW.name());
        this.names = columns;
        this.columns = columns.stream()
                .map(name -> CellText.of(opened.columns().schema(), cache, name))
                .toList();
        this.versions = opened.versions(feed);
        this.folders = versions.stream()
                .map(version -> opened.isMixture()
                        ? Path.of(MixtureName.root(version.folder().toString()))
                        : version.folder())
                .toList();
        this.packed =
                versions.stream().map(version -> PackedRows.of(version, cache)).toList();
        this.members = opened.isMixture() && feed instanceof TrainFeed train
                ? train.members().stream().map(Member::name).toList()
                : List.of();
    }

    /** The number of the member that a row is from; 0 in a feed of a version. */
    public int member(BatchRows rows, int position) {
        return cache.member(rows.stratum(position));
    }

    /** The names of the columns of {@link #line}, separated by tabs. */
    public String heads() {
        String heads = "row_id" + (members.isEmpty() ? "" : "\tmember")
                + "\tstratum\tindex\tlane\tordinal\tfile\tsource\tsource_row";
        return names.stream().map(name -> "\t" + name).reduce(heads, String::concat)
                + (isAnyPacked() ? "\tmembers" : "");
    }

    /**
     * Formats row id, member of the mixture, stratum, list index, lane, ordinal, file, source file and row in it, the columns and the
     * rows that were packed, separated by tabs.
     */
    public String line(BatchRows rows, int position) {
        int lane = rows.lane(position);
        long ordinal = rows.ordinal(position);
        int member = member(rows, position);
        int block = cache.firstBlock(member, lane) + (int) (ordinal / cache.batchRows(member));
        long row = ordinal % cache.batchRows(member);
        String line = String.join(
                "\t",
                rowId.file(block).get(LONG, rowId.values(block) + 8 * row)
                        + (members.isEmpty() ? "" : "\t" + members.get(member)),
                feed instanceof TrainFeed train
                        ? Printable.line(
                                train.strata().get(rows.stratum(position)).name())
                        : "-",
                Long.toString(rows.index(position)),
                lane == LaneLayout.SHARED ? "shared" : Integer.toString(lane),
                Long.toString(ordinal),
                folders.get(member).relativize(cache.file(block)).toString(),
                sourceName(member, source.file(block).get(INT, source.values(block) + 4 * row)),
                Long.toString(sourceRow.file(block).get(LONG, sourceRow.values(block) + 8 * row)));
        return columns.stream()
                        .map(column -> "\t" + Printable.line(column.at(block, (int) row)))
                        .reduce(line, String::concat)
                + packed.get(member)
                        .map(found -> "\t" + Printable.line(found.at(block, (int) row)))
                        .orElse(isAnyPacked() ? "\t-" : "");
    }

    private boolean isAnyPacked() {
        return packed.stream().anyMatch(Optional::isPresent);
    }

    private String sourceName(int member, int index) {
        Optional<ExternalFiles> external = cache.external(versions.get(member));
        if (external.isPresent() && index >= 0 && index < external.get().count()) {
            return Printable.line(external.get().path(index));
        }
        List<String> sources = versions.get(member).manifest().sources();
        return index >= 0 && index < sources.size() ? Printable.line(sources.get(index)) : "unknown";
    }
}
