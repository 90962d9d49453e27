package io.rankfeed.spark.prepare.write;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.util.Utils;
import org.jspecify.annotations.Nullable;

/** What a task does: writes the units that its rows belong to, or merges the tails of earlier ones. */
record RowGroupTask(TableSpec spec) implements Serializable {
    /** Rows sorted by unit, then by their place in it; bad rows are the last unit. */
    Iterator<UnitResult> units(Iterator<InternalRow> rows) {
        List<UnitResult> results = new ArrayList<>();
        int unitField = spec.layout().unit();
        UnsafeRow row = next(rows);
        int last = -1;
        while (row != null) {
            int unit = row.getInt(unitField);
            if (unit < last) {
                throw new IllegalStateException("rows of unit " + unit + " are not contiguous");
            }
            last = unit;
            try (UnitWriter writer = UnitWriter.ofUnit(spec, unit, scratch())) {
                for (; row != null && row.getInt(unitField) == unit; row = next(rows)) {
                    writer.add(row);
                }
                results.add(writer.finish());
            }
        }
        return results.iterator();
    }

    private static @Nullable UnsafeRow next(Iterator<InternalRow> rows) {
        return rows.hasNext() ? (UnsafeRow) rows.next() : null;
    }

    private static Path scratch() {
        return Path.of(Utils.getLocalDir(SparkEnv.get().conf()));
    }

    /** The rows of several units' tails, in the units' order, as files of one unit more. */
    UnitResult merged(int unit, List<String> tails) {
        try (UnitWriter writer = UnitWriter.ofTails(spec, unit, scratch())) {
            for (String tail : tails) {
                try (InputStream in = new BufferedInputStream(spec.folder().openScratch(tail), 1 << 16)) {
                    RowLog.readAll(in, spec.layout().fields(), writer::add);
                } catch (IOException e) {
                    throw new EnvironmentException(IoReason.of("cannot read " + tail, e), e);
                }
            }
            return writer.finish();
        }
    }
}
