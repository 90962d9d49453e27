package io.rankfeed.report;

import io.rankfeed.report.Report.Bytes;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.manifest.External;
import io.rankfeed.schema.manifest.Manifest;
import java.util.Locale;
import java.util.Map;

/** The facts that every artifact has, then its schema, if it has one. */
public final class ArtifactReport {
    private ArtifactReport() {}

    /** @param path of the folder, for users */
    public static void describe(Report report, Manifest manifest, String path) {
        String kind = manifest instanceof Manifest.Prepared
                ? "prepared table"
                : manifest instanceof Manifest.Formatted
                        ? "formatted copy"
                        : manifest.format().id().replace("rankfeed.", "");
        report.answer(String.format(Locale.ROOT, "%s %s of dataset %s", kind, manifest.id(), manifest.dataset()))
                .answer("path: " + path)
                .answer(String.format(
                        Locale.ROOT,
                        "%s in %s, %s",
                        Plural.counted(manifest.rows(), "row"),
                        Plural.counted(manifest.files().size(), "file"),
                        ByteSize.rounded(manifest.totalBytes())));
        report.fact("kind", manifest.format().id())
                .fact("id", manifest.id())
                .fact("dataset", manifest.dataset())
                .fact("path", path)
                .fact("rows", manifest.rows())
                .fact("files", (long) manifest.files().size())
                .fact("bytes", new Bytes(manifest.totalBytes()));
        if (manifest instanceof Manifest.Formatted formatted) {
            String format = formatted.job().path("format").path("format").asText();
            report.answer("format: " + format).fact("format", format);
            columns(report, formatted.schema(), Map.of(), Map.of());
        }
        if (manifest instanceof Manifest.Version version) {
            version.external().ifPresent(external -> describe(report, external));
            columns(report, version.schema(), version.maxLengths(), version.maxItems());
        } else if (manifest instanceof Manifest.Table other) {
            columns(report, other.schema(), Map.of(), Map.of());
        }
    }

    private static void describe(Report report, External external) {
        report.answer("over " + Plural.counted(external.files(), "file") + " of a dataset, "
                        + ByteSize.rounded(external.bytes())
                        + (external.damaged() == 0
                                ? ""
                                : "; without " + Plural.counted(external.damaged(), "damaged sample")))
                .fact("externalFiles", external.files())
                .fact("externalBytes", new Bytes(external.bytes()))
                .fact("damaged", external.damaged());
    }

    private static void columns(
            Report report, SampleSchema schema, Map<String, Long> maxLengths, Map<String, Long> maxItems) {
        report.answer("columns: "
                + Report.listed(schema.fields().stream()
                        .map(field -> field.name() + " " + field.dtype().id()
                                + (field.shape().equals(Shape.scalar()) ? "" : " " + field.shape()))
                        .toList()));
        Report.Table table = report.table("columns", "name", "dtype", "shape", "nullable", "maxLength", "maxItems");
        for (Field field : schema.fields()) {
            Long maxLength = maxLengths.get(field.name());
            Long items = maxItems.get(field.name());
            table.add(
                    field.name(),
                    field.dtype().id(),
                    field.shape().toString(),
                    field.nullable() ? "yes" : "no",
                    maxLength == null ? Report.NONE : maxLength,
                    items == null ? Report.NONE : items);
        }
    }
}
