package io.rankfeed.spark.export;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.spark.engine.TensorMetadata;
import io.rankfeed.spark.engine.parquet.ChosenFile;
import io.rankfeed.spark.file.ComputedIterator;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.sample.table.PreparedFrame;
import io.rankfeed.spark.sample.table.PreparedFrame.DataFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntPredicate;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.executor.InputMetrics;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import scala.Function0;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * Reads only the prepared rows that have a destination, where these are few: the input of {@link RoutedRows}, from
 * {@link ChosenFile} instead of a scan. A file's rows are read by one task, so each byte is read once for all ranks.
 *
 * @param files paths of the table's files
 * @param columns of the rows, behind their address
 * @param headBytes by column, what is before a tensor's elements
 */
@SuppressWarnings("ArrayRecordComponent")
record ChosenRows(
        RowDestinations destinations,
        ArrayList<String> files,
        StructType columns,
        ChosenFile.Values values,
        int[] headBytes,
        Audit audit,
        TaskConfiguration conf)
        implements FlatMapFunction<Iterator<Integer>, InternalRow> {
    /** The number of rows of a file that are read at once; files with more are read in several passes. */
    private static final int ROWS_AT_ONCE = 1 << 18;

    /**
     * A partition for each prepared file that has such a row, preferred where its blocks are.
     *
     * @param names of the columns behind {@link PreparedFrame#FILE} and {@link PreparedFrame#ROW}
     */
    static JavaRDD<InternalRow> of(
            JobContext context, PreparedFrame frame, RowDestinations destinations, List<String> names) {
        StructType columns =
                new StructType(names.stream().map(frame.stored()::apply).toArray(StructField[]::new));
        int[] headBytes = Arrays.stream(columns.fields())
                .mapToInt(field ->
                        TensorMetadata.of(field).map(TensorMetadata::headBytes).orElse(0))
                .toArray();
        List<DataFile> all = frame.dataFiles();
        List<Tuple2<Integer, Seq<String>>> located = new ArrayList<>();
        for (int file : destinations.files()) {
            Path path = new Path(all.get(file).path());
            located.add(new Tuple2<>(
                    file,
                    hosts(
                            Storage.of(path, context.hadoop()),
                            path,
                            all.get(file).lengthBytes())));
        }
        // Values that prepare wrote are flat, and their checksums show what is wrong. Other files are audited instead.
        boolean written = frame.checksums().isPresent();
        ChosenRows reading = new ChosenRows(
                destinations,
                new ArrayList<>(all.stream().map(DataFile::path).toList()),
                columns,
                written ? ChosenFile.Values.FLAT : ChosenFile.Values.ANY,
                headBytes,
                new Audit(written ? List.of() : destinations.files()),
                new TaskConfiguration(context.hadoop()));
        return context.spark()
                .sparkContext()
                .makeRDD(CollectionConverters.asScala(located).toSeq(), ClassTag$.MODULE$.<Integer>apply(Integer.class))
                .toJavaRDD()
                .mapPartitions(reading);
    }

    private static Seq<String> hosts(FileSystem fs, Path file, long lengthBytes) {
        List<String> hosts = new ArrayList<>();
        try {
            for (BlockLocation block : fs.getFileBlockLocations(file, 0, lengthBytes)) {
                for (String host : block.getHosts()) {
                    if (!host.equals("localhost") && !hosts.contains(host)) {
                        hosts.add(host);
                    }
                }
            }
        } catch (IOException e) {
            // Where it is read costs time alone; if it cannot be read at all, its task reports.
            hosts.clear();
        }
        return CollectionConverters.asScala(hosts).toSeq();
    }

    @Override
    public Iterator<InternalRow> call(Iterator<Integer> numbers) {
        Reading reading = new Reading(numbers, TaskContext.get().taskMetrics().inputMetrics());
        TaskCompletionListener close = task -> reading.close();
        TaskContext.get().addTaskCompletionListener(close);
        return reading;
    }

    private final class Reading extends ComputedIterator<InternalRow> implements AutoCloseable {
        private final Iterator<Integer> numbers;
        private final InputMetrics metrics;
        /** Returns the bytes that this thread read, as the file systems count them. */
        private final Function0<Object> bytesRead = SparkHadoopUtil.get().getFSBytesReadOnThreadCallback();

        private final GenericInternalRow address = new GenericInternalRow(2);
        private final JoinedRow joined = new JoinedRow();
        private int number = -1;
        private RowDestinations.@Nullable Cursor cursor;
        private boolean hasDestination;
        private @Nullable ChosenFile file;
        private IntPredicate audited = group -> false;
        private long[] rows = {};
        private int at;
        private long countedBytes;

        /** @param metrics counts what is read, as Spark's own scans report it */
        Reading(Iterator<Integer> numbers, InputMetrics metrics) {
            this.numbers = numbers;
            this.metrics = metrics;
        }

        @Override
        protected @Nullable InternalRow compute() {
            if (at == rows.length) {
                if (!hasDestination && !numbers.hasNext()) {
                    return null;
                }
                open();
            }
            ChosenFile open = file;
            if (open == null) {
                throw new IllegalStateException("no prepared file is open");
            }
            address.setInt(0, number);
            address.setLong(1, rows[at++]);
            return joined.apply(address, open.next());
        }

        /** Opens the next file; every file in {@link RowDestinations} has at least one row. */
        private void open() {
            closeFile();
            if (!hasDestination) {
                closeCursor();
                number = numbers.next();
                cursor = destinations.open(number);
                hasDestination = cursor.next();
                if (values == ChosenFile.Values.ANY) {
                    audited = audit.of(number, files.get(number));
                }
            }
            rows = distinct(cursor);
            at = 0;
            String path = files.get(number);
            file = new ChosenFile(path, rows, columns, values, headBytes, audited, conf.value());
        }

        private long[] distinct(RowDestinations.@Nullable Cursor from) {
            long[] found = new long[1 << 10];
            int count = 0;
            while (from != null && hasDestination && count < ROWS_AT_ONCE) {
                long row = from.row();
                if (count == found.length) {
                    found = Arrays.copyOf(found, 2 * count);
                }
                found[count++] = row;
                while (hasDestination && from.row() == row) {
                    hasDestination = from.next();
                }
            }
            return Arrays.copyOf(found, count);
        }

        private void closeFile() {
            if (file != null) {
                file.close();
                file = null;
                long bytes = (Long) bytesRead.apply();
                metrics.incBytesRead(bytes - countedBytes);
                metrics.incRecordsRead(at);
                countedBytes = bytes;
            }
        }

        private void closeCursor() {
            if (cursor != null) {
                cursor.close();
                cursor = null;
            }
        }

        @Override
        public void close() {
            closeFile();
            closeCursor();
        }
    }
}
