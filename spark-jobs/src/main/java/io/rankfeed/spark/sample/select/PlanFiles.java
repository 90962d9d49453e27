package io.rankfeed.spark.sample.select;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.export.commit.StagedFile;
import io.rankfeed.sampling.order.LaneAssignment;
import io.rankfeed.schema.selection.RowDigests;
import io.rankfeed.spark.sample.table.PlanRow;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes a feed's rows as the plan's Parquet files, one task a file. */
public record PlanFiles(String feedName, FeedRows feed, ArtifactAttempt folder) implements Serializable {
    public static String path(String feed, int file) {
        return String.format(Locale.ROOT, "rows/%s-%05d.parquet", feed, file);
    }

    /**
     * Writes the files of the plan, one for each partition.
     *
     * @param pools the feed's rows: file, stratum, position in the order, row id, file and row of the prepared table; each
     *     row is valid until the next
     * @return in the order of their numbers
     */
    List<RowsFile> write(JavaRDD<InternalRow> pools) {
        FlatMapFunction<Iterator<InternalRow>, RowsFile> writePartition = this::writePartition;
        return pools.mapPartitions(writePartition).collect().stream()
                .sorted(Comparator.comparing(written -> written.file().path()))
                .toList();
    }

    private Iterator<RowsFile> writePartition(Iterator<InternalRow> rows) throws IOException {
        List<RowsFile> written = new ArrayList<>();
        if (rows.hasNext()) {
            written.add(writeFile(rows));
        }
        return written.iterator();
    }

    private RowsFile writeFile(Iterator<InternalRow> rows) throws IOException {
        InternalRow row = rows.next();
        int file = row.getInt(0);
        long number = file * Selection.FILE_ROWS;
        long end = Math.min(number + Selection.FILE_ROWS, feed.total());
        LaneAssignment assignment = feed.laneAssignment();
        int stratum = 0;
        RowDigests digests = new RowDigests();
        try (StagedFile staged = folder.stage(path(feedName, file))) {
            long first = number;
            try (ParquetWriter<PlanRow> writer = PlanRow.writer(staged.stream())) {
                while (true) {
                    while (stratum < feed.strata() && feed.start(stratum) + feed.rows(stratum) <= number) {
                        stratum++;
                    }
                    if (number == end || row.getInt(0) != file || row.getInt(1) != stratum) {
                        throw lost(file);
                    }
                    long index = number - feed.start(stratum);
                    writer.write(new PlanRow(
                            stratum,
                            index,
                            assignment.lane(stratum, index),
                            assignment.ordinal(stratum, index),
                            row.getLong(3),
                            row.getInt(4),
                            row.getLong(5)));
                    digests.add(row.getLong(3), row.getInt(4), row.getLong(5));
                    number++;
                    if (!rows.hasNext()) {
                        break;
                    }
                    row = rows.next();
                }
            }
            if (number != end) {
                throw lost(file);
            }
            return new RowsFile(staged.publish(end - first), digests.end().get(0));
        }
    }

    private IllegalStateException lost(int file) {
        return new IllegalStateException("feed '" + feedName + "': the rows of plan file " + file
                + " are not those that were counted; the prepared table changed while it was read");
    }
}
