package io.rankfeed.spark.prepare.write;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.export.commit.StagedFile;
import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.spark.prepare.pack.BadRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection$;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Counts a unit's bad rows, and keeps them where the job wants that: in files next to the table, in the order given. */
final class BadRowFiles implements AutoCloseable {
    private static final int FILE_BYTES = 64 << 20;
    private static final StructType SCHEMA = new StructType()
            .add("reason", DataTypes.StringType)
            .add("message", DataTypes.StringType)
            .add("source", DataTypes.StringType)
            .add("source_row", DataTypes.LongType)
            .add("content", DataTypes.StringType);

    private final TableSpec spec;
    private final int unit;
    private final RowLog log;
    private final RowGroupEncoder encoder;
    private final UnsafeProjection projection = UnsafeProjection$.MODULE$.create(SCHEMA);
    private final TreeMap<String, Long> counts = new TreeMap<>();
    private final ArrayList<WrittenFile> files = new ArrayList<>();

    /** @param scratch a local folder */
    BadRowFiles(TableSpec spec, int unit, Path scratch) {
        this.spec = spec;
        this.unit = unit;
        this.log = new RowLog(SCHEMA.size(), scratch, FILE_BYTES);
        this.encoder = new RowGroupEncoder(SCHEMA, spec.format().compression(), scratch);
    }

    void add(BadRow row, int source, long sourceRow) {
        counts.merge(row.reason().id(), 1L, Long::sum);
        if (spec.format().onBadRow() != OnBadRow.QUARANTINE) {
            return;
        }
        log.append(projection.apply(new GenericInternalRow(new Object[] {
            UTF8String.fromString(row.reason().id()),
            UTF8String.fromString(row.message()),
            source < 0 ? null : UTF8String.fromString(spec.places().name(source)),
            source < 0 ? null : sourceRow,
            UTF8String.fromString(row.content())
        })));
        if (log.lengthBytes() > FILE_BYTES) {
            publish();
        }
    }

    /** The number of bad rows by reason. */
    Map<String, Long> counts() {
        return counts;
    }

    /** The files, all of them. */
    List<WrittenFile> finish() {
        if (log.rows() > 0) {
            publish();
        }
        return files;
    }

    private void publish() {
        GroupRows all = log.first(Long.MAX_VALUE, 1, log.rows());
        ArtifactAttempt folder = spec.folder();
        String name = String.format(Locale.ROOT, "quarantine/part-%05d-%05d.parquet", unit, files.size());
        try (RowGroupEncoder.Encoded encoded = encoder.encode(log, all);
                StagedFile file = folder.stage(name)) {
            encoded.copyTo(file.stream());
            // Rows that are reported of a file are rows of the table.
            files.add(file.publish(-1));
        } catch (IOException e) {
            throw Storage.failed("write to", folder.path(), e);
        }
        log.drop(all);
    }

    @Override
    public void close() {
        try (encoder) {
            log.close();
        }
    }
}
