package io.rankfeed.feeder.explain;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.failure.Printable;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.TrainFeed;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;

/** Describes the rows of a batch: their identity, their address in the cache, and their source file and row. */
public final class LocatedRows {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private final OpenVersion version;
    private final Feed feed;
    private final LaneCache cache;
    private final MappedColumn rowId;
    private final MappedColumn source;
    private final MappedColumn sourceRow;
    private final List<String> names;
    private final List<CellText> columns;
    private final Optional<Members> members;

    /** @param columns columns whose values are also shown */
    public LocatedRows(OpenVersion version, Feed feed, LaneCache cache, List<String> columns) {
        this.version = version;
        this.feed = feed;
        this.cache = cache;
        this.rowId = cache.column(CacheColumn.ROW_ID.name());
        this.source = cache.column(CacheColumn.SOURCE.name());
        this.sourceRow = cache.column(CacheColumn.SOURCE_ROW.name());
        this.names = columns;
        this.columns = columns.stream()
                .map(name -> CellText.of(version.schema(), cache, name))
                .toList();
        this.members = Members.of(version, cache);
    }

    /** The names of the columns of {@link #line}, separated by tabs. */
    public String heads() {
        String heads = "row_id\tstratum\tindex\tlane\tordinal\tfile\tsource\tsource_row";
        return names.stream().map(name -> "\t" + name).reduce(heads, String::concat)
                + (members.isPresent() ? "\tmembers" : "");
    }

    /**
     * Formats row id, stratum, list index, lane, ordinal, file, source file and row in it, the columns and the members,
     * separated by tabs.
     */
    public String line(BatchRows rows, int position) {
        int lane = rows.lane(position);
        long ordinal = rows.ordinal(position);
        int block = cache.firstBlock(0, lane) + (int) (ordinal / cache.batchRows(0));
        long row = ordinal % cache.batchRows(0);
        String line = String.join(
                "\t",
                Long.toString(rowId.file(block).get(LONG, rowId.values(block) + 8 * row)),
                feed instanceof TrainFeed train
                        ? Printable.line(
                                train.strata().get(rows.stratum(position)).name())
                        : "-",
                Long.toString(rows.index(position)),
                lane == LaneLayout.SHARED ? "shared" : Integer.toString(lane),
                Long.toString(ordinal),
                version.folder().relativize(cache.file(block)).toString(),
                sourceName(source.file(block).get(INT, source.values(block) + 4 * row)),
                Long.toString(sourceRow.file(block).get(LONG, sourceRow.values(block) + 8 * row)));
        return columns.stream()
                        .map(column -> "\t" + Printable.line(column.at(block, (int) row)))
                        .reduce(line, String::concat)
                + members.map(found -> "\t" + Printable.line(found.at(block, (int) row)))
                        .orElse("");
    }

    private String sourceName(int index) {
        List<String> sources = version.manifest().sources();
        return index >= 0 && index < sources.size() ? Printable.line(sources.get(index)) : "unknown";
    }
}
