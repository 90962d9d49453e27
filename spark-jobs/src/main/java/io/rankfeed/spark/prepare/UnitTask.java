package io.rankfeed.spark.prepare;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.run.ArtefactAttempt;
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

/**
 * What a task does: writes the units that its rows belong to, or merges the tails of earlier ones.
 *
 * @param layout of the rows
 * @param places for messages
 * @param tailsApart whether rows that fill no block go to a scratch file
 */
record UnitTask(RowLayout layout, Places places, ArtefactAttempt folder, UnitWriter.Format format, boolean tailsApart)
        implements Serializable {

    /** Rows sorted by unit, then by their place in it. */
    Iterator<UnitResult> units(Iterator<InternalRow> rows) {
        List<UnitResult> results = new ArrayList<>();
        @Nullable UnitWriter writer = null;
        int unit = -1;
        try {
            while (rows.hasNext()) {
                UnsafeRow row = (UnsafeRow) rows.next();
                if (writer == null || row.getInt(layout.unit()) != unit) {
                    finish(writer, results);
                    if (row.getInt(layout.unit()) < unit) {
                        throw new IllegalStateException("rows of unit " + unit + " do not lie together");
                    }
                    unit = row.getInt(layout.unit());
                    writer = writer(unit);
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

    /** The rows of several units' tails, in the units' order, as files of one unit more. */
    UnitResult merged(int unit, List<String> tails) {
        try (UnitWriter writer = writer(unit)) {
            for (String tail : tails) {
                try (InputStream in = new BufferedInputStream(folder.openScratch(tail), 1 << 16)) {
                    RowLog.readAll(in, layout.fields(), writer::add);
                } catch (IOException e) {
                    throw new EnvironmentException("cannot read " + tail + ": " + e.getMessage(), e);
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

    private UnitWriter writer(int unit) {
        Path scratch = Path.of(Utils.getLocalDir(SparkEnv.get().conf()));
        return new UnitWriter(layout, places, folder, format, unit, tailsApart, scratch);
    }
}
