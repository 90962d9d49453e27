package io.rankfeed.feeder.importing;

import io.rankfeed.feeder.plan.ImportedPlan;
import io.rankfeed.importing.index.Damages.Damage;
import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.write.ImportSource;
import io.rankfeed.importing.write.ImportedVersion;
import io.rankfeed.report.OrderReport;
import io.rankfeed.report.Report;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.manifest.External;
import io.rankfeed.schema.selection.SelectedStratum;
import java.util.Map;

/** Reports what an import found, whether it writes a version or not. */
final class ImportReport {
    private static final int MAX_SHOWN = 3;

    private ImportReport() {}

    static void describe(Report report, ImportSource source, ImportedVersion version, ImportedPlan plan) {
        DatasetIndex index = version.index();
        long rows = version.feed().rows();
        report.answer(source.format() + ": " + Plural.counted(rows, "sample") + " in "
                        + Plural.counted(index.files().size(), "file") + ", " + ByteSize.rounded(source.bytes())
                        + "; the index takes "
                        + ByteSize.rounded(version.laneBytes()))
                .answer("columns: "
                        + Report.listed(index.schema().fields().stream()
                                .map(ImportReport::words)
                                .toList()));
        report.fact("format", source.format())
                .fact("rows", rows)
                .fact("files", (long) index.files().size())
                .fact("bytes", new Report.Bytes(source.bytes()))
                .fact("indexBytes", new Report.Bytes(version.laneBytes()))
                .fact("damaged", index.damaged());
        damages(report, source, index);
        Report.Table columns = report.table("columns", "name", "dtype", "shape", "nullable", "maxLength");
        for (Field field : index.schema().fields()) {
            Long longest = index.columns().maxLengths().get(field.name());
            columns.add(
                    field.name(),
                    field.dtype().id(),
                    field.shape().toString(),
                    field.nullable() ? "yes" : "no",
                    longest == null ? Report.NONE : longest);
        }
        Report.Table strata = report.table("samples by stratum", "stratum", "samples");
        for (SelectedStratum stratum : version.feed().strata()) {
            strata.add(stratum.name(), stratum.rows());
        }
        OrderReport.describe(report, plan.order());
        OrderReport.decisions(report, Map.of(version.feed().name(), plan.decisions()));
    }

    private static void damages(Report report, ImportSource source, DatasetIndex index) {
        if (index.damaged() == 0) {
            return;
        }
        report.answer("damaged: " + Plural.counted(index.damaged(), "sample") + " left out, listed in "
                + External.DAMAGED_FILE_NAME + " of the version");
        index.indexed().stream()
                .flatMap(part -> part.damages().named().stream())
                .limit(MAX_SHOWN)
                .map(damage -> new Damage(source.root().shown(damage.file()), damage.offset(), damage.what()))
                .forEach(damage -> report.answer("  " + damage));
    }

    private static String words(Field field) {
        return field.name() + " " + field.dtype().id()
                + (field.shape().equals(Shape.scalar()) ? "" : " " + field.shape());
    }
}
