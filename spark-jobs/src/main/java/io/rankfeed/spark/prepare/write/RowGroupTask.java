package io.rankfeed.spark.prepare.write;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.prepare.pack.BadRow;
import io.rankfeed.spark.prepare.pack.RowLayout;
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
        int badUnit = spec.units().count();
        @Nullable UnitWriter writer = null;
        int unit = -1;
        try {
            while (rows.hasNext()) {
                UnsafeRow row = (UnsafeRow) rows.next();
                int its = row.getInt(unitField);
                if (its == badUnit) {
                    finish(writer, results);
                    writer = null;
                    results.add(bad(row, rows));
                    return results.iterator();
                }
                if (writer == null || its != unit) {
                    finish(writer, results);
                    if (its < unit) {
                        throw new IllegalStateException("rows of unit " + unit + " are not contiguous");
                    }
                    unit = its;
                    writer = UnitWriter.ofUnit(spec, unit, scratch());
                }
                writer.add(row);
            }
            finish(writer, results);
            writer = null;
        } finally {
            if (writer != null) {
                writer.close();
            }
        }
        return results.iterator();
    }

    private UnitResult bad(UnsafeRow first, Iterator<InternalRow> rest) {
        RowLayout layout = spec.layout();
        int unit = spec.units().count();
        try (BadRowFiles quarantine = new BadRowFiles(spec, unit, scratch())) {
            InternalRow row = first;
            while (true) {
                quarantine.add(
                        BadRow.decoded(row.getBinary(layout.key())),
                        row.getInt(layout.source()),
                        row.getLong(layout.sourceRow()));
                if (!rest.hasNext()) {
                    return UnitResult.ofBad(unit, quarantine.counts(), quarantine.finish());
                }
                row = rest.next();
            }
        }
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

    private static void finish(@Nullable UnitWriter writer, List<UnitResult> results) {
        if (writer != null) {
            try (writer) {
                results.add(writer.finish());
            }
        }
    }
}
