package io.rankfeed.spark.format;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.OrderJson;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * The places of the stored rows of all feeds in {@link FirstDraws}, 8 bytes a row, in scratch files next to the artifact. A task has only
 * some of them in memory. Serialized to the tasks.
 */
final class Positions implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Rows of a scratch file, which one task keeps in memory. Each task computes the order of the whole feed. */
    private static final long RANGE_ROWS = 1L << 23;

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int POSITION_BITS = 44;

    /**
     * The places of rows of a feed.
     *
     * @param from number of the first row
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record NumberRange(String feed, long from, int count, String scratch, long[] rowsByRank)
            implements Serializable {}

    private final ArtifactAttempt folder;
    private final int ranks;
    /** By feed, each with the ranges in their order. */
    private final HashMap<String, ArrayList<NumberRange>> ranges = new HashMap<>();

    private Positions(ArtifactAttempt folder, int ranks, List<NumberRange> ranges) {
        this.folder = folder;
        this.ranks = ranks;
        ranges.forEach(range -> this.ranges
                .computeIfAbsent(range.feed(), unnamed -> new ArrayList<>())
                .add(range));
    }

    /** A task: rows of a feed from one number on. */
    private record Task(String feed, long from, int count) implements Serializable {}

    /** @param order bytes of the order, as tasks read them */
    static Positions write(JavaSparkContext spark, byte[] order, List<Feed> feeds, int ranks, ArtifactAttempt folder) {
        List<Task> tasks = new ArrayList<>();
        for (Feed feed : feeds) {
            long rows = new FirstDraws(feed, ranks).rows();
            for (long from = 0; from < rows; from += RANGE_ROWS) {
                tasks.add(new Task(feed.name(), from, (int) Math.min(RANGE_ROWS, rows - from)));
            }
        }
        List<NumberRange> written = tasks.isEmpty()
                ? List.of()
                : spark.parallelize(tasks, tasks.size())
                        .map(task -> written(task, order, ranks, folder))
                        .collect();
        return new Positions(folder, ranks, written);
    }

    private static NumberRange written(Task task, byte[] order, int ranks, ArtifactAttempt folder) throws IOException {
        Feed feed =
                OrderJson.parse(order, "the order of the run").feed(task.feed()).orElseThrow();
        long[] places = new long[task.count()];
        long[] counts = new FirstDraws(feed, ranks).visit((number, rank, position) -> {
            long at = number - task.from();
            if (at >= 0 && at < places.length) {
                places[(int) at] = (long) rank << POSITION_BITS | position;
            }
        });
        ArtifactAttempt.Scratch scratch = folder.scratch("positions");
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(scratch.stream(), BUFFER_BYTES))) {
            for (long place : places) {
                out.writeLong(place);
            }
        }
        return new NumberRange(task.feed(), task.from(), task.count(), scratch.name(), counts);
    }

    /** The rows of each rank; zeros for a feed without rows. */
    long[] rowsByRank(String feed) {
        List<NumberRange> of = ranges.get(feed);
        return of == null ? new long[ranks] : of.get(0).rowsByRank().clone();
    }

    static int rank(long place) {
        return (int) (place >>> POSITION_BITS);
    }

    static long position(long place) {
        return place & (1L << POSITION_BITS) - 1;
    }

    /** Opens the places of the rows of a feed from a number on. */
    Cursor open(String feed, long number) {
        return new Cursor(Objects.requireNonNull(ranges.get(feed)), number);
    }

    /** Reads places one after the other. */
    final class Cursor implements AutoCloseable {
        private final Map<Long, NumberRange> byFirst = new HashMap<>();
        private long number;
        private long end;
        private DataInputStream in = new DataInputStream(InputStream.nullInputStream());

        private Cursor(List<NumberRange> all, long number) {
            this.number = number;
            this.end = number;
            all.forEach(range -> byFirst.put(range.from() / RANGE_ROWS, range));
        }

        /** The place of the next row. */
        long next() {
            try {
                if (number == end) {
                    close();
                    NumberRange range = Objects.requireNonNull(byFirst.get(number / RANGE_ROWS));
                    FSDataInputStream file = folder.openScratch(range.scratch());
                    file.seek((number - range.from()) * Long.BYTES);
                    in = new DataInputStream(new BufferedInputStream(file, BUFFER_BYTES));
                    end = range.from() + range.count();
                }
                number++;
                return in.readLong();
            } catch (IOException e) {
                throw failed(e);
            }
        }

        @Override
        public void close() {
            try {
                in.close();
            } catch (IOException e) {
                throw failed(e);
            }
        }
    }

    private EnvironmentException failed(IOException e) {
        return new EnvironmentException(
                IoReason.of("cannot read the positions of rows in " + folder.path(), e) + "; run the job again", e);
    }
}
