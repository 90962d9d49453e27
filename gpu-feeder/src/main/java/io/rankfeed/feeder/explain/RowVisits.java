package io.rankfeed.feeder.explain;

import io.rankfeed.feeder.batch.RankOrder;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.sampling.order.LaneAssignment;
import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.sampling.order.OrderLookup;
import io.rankfeed.sampling.order.SequentialOrder;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Finds a row in the lanes of a feed, and every step at which a world of a given size reads it. */
record RowVisits(Feed feed, LaneCache cache, int world) {
    /** A rank's batch that holds the row. */
    private record Seen(long step, int rank) implements Comparable<Seen> {
        @Override
        public int compareTo(Seen other) {
            return step != other.step ? Long.compare(step, other.step) : Integer.compare(rank, other.rank);
        }
    }

    /** The member, the lane and the ordinal in it of a row that has the key. */
    record Found(int member, int lane, long ordinal) {}

    /**
     * Looks at the identity of every row, and of the rows that were packed into it.
     *
     * @param versions by member of the feed
     * @param words the key as the user wrote it
     */
    List<Found> find(List<OpenVersion> versions, List<String> words) {
        List<Found> found = new ArrayList<>();
        for (int member = 0; member < versions.size(); member++) {
            RowKey key = RowKey.of(words, sources(versions.get(member)));
            find(member, key, PackedRows.of(versions.get(member), cache), words, found);
        }
        return found;
    }

    /** The names of the files that the rows of a version are from. */
    private List<String> sources(OpenVersion version) {
        return cache.external(version)
                .map(files ->
                        IntStream.range(0, files.count()).mapToObj(files::path).toList())
                .orElse(version.manifest().sources());
    }

    private void find(int member, RowKey key, Optional<PackedRows> packed, List<String> words, List<Found> found) {
        MappedColumn rowId = cache.column(CacheColumn.ROW_ID.name());
        MappedColumn source = cache.column(CacheColumn.SOURCE.name());
        MappedColumn sourceRow = cache.column(CacheColumn.SOURCE_ROW.name());
        LaneAssignment assignment = feed instanceof TrainFeed train ? layout(train, member) : LaneAssignment.of(feed);
        // The lanes of a plan over a version divide those that the version stores.
        int lanes =
                feed instanceof TrainFeed train ? train.members().get(member).lanes() : feed.lanes();
        for (int lane = LaneLayout.SHARED; lane < lanes; lane++) {
            long rows = assignment.laneRows(lane);
            for (long ordinal = 0; ordinal < rows; ordinal++) {
                int block = cache.firstBlock(member, lane) + (int) (ordinal / cache.batchRows(member));
                long row = ordinal % cache.batchRows(member);
                long id = rowId.file(block).get(ValueLayout.JAVA_LONG_UNALIGNED, rowId.values(block) + 8 * row);
                int from = source.file(block).get(ValueLayout.JAVA_INT_UNALIGNED, source.values(block) + 4 * row);
                long at = sourceRow.file(block).get(ValueLayout.JAVA_LONG_UNALIGNED, sourceRow.values(block) + 8 * row);
                boolean isPacked = packed.isPresent() && packed.get().has(block, (int) row, words);
                if (isPacked || key.is(id, from, at)) {
                    found.add(new Found(member, lane, ordinal));
                }
            }
        }
    }

    private static LaneLayout layout(TrainFeed train, int member) {
        Member of = train.members().get(member);
        return new LaneLayout(of.lanes(), of.strata());
    }

    /**
     * Prints a line for each time that the row is seen: epoch, step, global step, stage, segment, rank, place (position in
     * the rank's batch), then the columns of {@link LocatedRows}.
     */
    List<String> lines(Found found, LocatedRows located) {
        return switch (feed) {
            case TrainFeed train -> {
                LaneLayout layout = layout(train, found.member());
                int first = train.members().subList(0, found.member()).stream()
                        .mapToInt(before -> before.strata().size())
                        .sum();
                int stratum = first + layout.stratumAt(found.lane(), found.ordinal());
                long index = layout.indexAt(found.lane(), found.ordinal());
                SortedSet<Seen> seen = new TreeSet<>();
                new OrderLookup(train)
                        .visits(stratum, index)
                        .forEach(visit -> seen.add(new Seen(visit.step(), visit.lane() % world)));
                yield lines(seen, stratum, index, located);
            }
            case SequentialFeed list -> {
                SequentialOrder order = SequentialOrder.of(list);
                long index = found.ordinal() * order.lanes() + found.lane();
                SortedSet<Seen> seen = new TreeSet<>();
                seen.add(new Seen(index / order.batch(), (int) (index % world)));
                yield lines(seen, 0, index, located);
            }
        };
    }

    private List<String> lines(SortedSet<Seen> seen, int stratum, long index, LocatedRows located) {
        List<String> lines = new ArrayList<>();
        for (Seen batch : seen) {
            RankOrder order = order(batch.rank());
            BatchRows rows = new BatchRows(order.rows());
            order.fill(batch.step(), rows);
            for (int position = 0; position < rows.size(); position++) {
                if (rows.index(position) == index
                        && (feed instanceof SequentialFeed || rows.stratum(position) == stratum)) {
                    int epoch = feed.epochAt(batch.step());
                    lines.add(epoch + "\t" + (batch.step() - feed.epochStart(epoch)) + "\t"
                            + batch.step() + "\t" + Segments.stageAt(feed, batch.step()) + "\t"
                            + Segments.numberAt(feed, batch.step()) + "\t" + batch.rank() + "\t"
                            + position + "\t" + located.line(rows, position));
                }
            }
        }
        return lines;
    }

    private RankOrder order(int rank) {
        return switch (feed) {
            case TrainFeed train -> RankOrder.train(train, rank, world);
            case SequentialFeed list -> RankOrder.sequential(SequentialOrder.of(list), rank, world);
        };
    }
}
