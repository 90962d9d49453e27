package io.rankfeed.spark.prepare.query;

import io.rankfeed.job.PrepareSection.Compression;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.write.RowGroupEncoder;
import io.rankfeed.spark.prepare.write.RowLog;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.util.Utils;

/**
 * The sizes of the first rows of a query, as the prepared table would store them; estimates of the whole follow from them.
 *
 * @param rows how many were measured
 * @param encodedBytes of a row group of them
 * @param valueBytes by user column, of all their values: packed tensors, strings and binary; 0 for others
 * @param nulls the user columns in which a null was met
 */
public record SizeSample(long rows, long encodedBytes, ArrayList<Long> valueBytes, BitSet nulls)
        implements Serializable {
    static final int MAX_ROWS = 4096;
    private static final int MAX_BYTES = 4 << 20;

    public double bytesPerRow() {
        return rows == 0 ? 0 : (double) encodedBytes / rows;
    }

    /** @param sample packed rows in their order, of which the first are measured */
    static SizeSample of(JavaRDD<InternalRow> sample, RowLayout layout, Compression compression) {
        List<SizeSample> measured =
                sample.mapPartitions(rows -> measure(rows, layout, compression)).collect();
        return measured.isEmpty() ? none(layout) : measured.get(0);
    }

    static SizeSample none(RowLayout layout) {
        return new SizeSample(0, 0, zeros(layout), new BitSet());
    }

    private static Iterator<SizeSample> measure(Iterator<InternalRow> rows, RowLayout layout, Compression compression) {
        Path scratch = Path.of(Utils.getLocalDir(SparkEnv.get().conf()));
        List<SizeSample> result = new ArrayList<>();
        ArrayList<Long> valueBytes = zeros(layout);
        BitSet nulls = new BitSet();
        try (RowLog log = new RowLog(layout.fields(), scratch, 2 * MAX_BYTES)) {
            while (log.rows() < MAX_ROWS && log.lengthBytes() < MAX_BYTES && rows.hasNext()) {
                UnsafeRow row = (UnsafeRow) rows.next();
                log.append(row);
                for (int column = 0; column < valueBytes.size(); column++) {
                    if (row.isNullAt(column)) {
                        nulls.set(column);
                    } else if (layout.columns().get(column).isBytesInSpark()) {
                        // An unsafe row holds strings and binary alike.
                        valueBytes.set(
                                column,
                                valueBytes.get(column)
                                        + row.getUTF8String(column).numBytes());
                    }
                }
            }
            if (log.rows() > 0) {
                try (RowGroupEncoder encoder = new RowGroupEncoder(layout.stored(), compression, scratch);
                        RowGroupEncoder.Encoded encoded =
                                encoder.encode(log, log.first(log.lengthBytes(), 1, log.rows()))) {
                    result.add(new SizeSample(log.rows(), encoded.lengthBytes(), valueBytes, nulls));
                }
            }
        }
        return result.iterator();
    }

    private static ArrayList<Long> zeros(RowLayout layout) {
        ArrayList<Long> zeros = new ArrayList<>();
        layout.columns().forEach(column -> zeros.add(0L));
        return zeros;
    }
}
