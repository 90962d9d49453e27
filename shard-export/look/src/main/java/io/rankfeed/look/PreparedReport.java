package io.rankfeed.look;

import io.rankfeed.report.Report;
import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.util.List;
import java.util.Optional;

/** A prepared table: its manifest, and its row groups against the block that the job asked for. */
final class PreparedReport {
    /** The folder of the table; that of its quarantine has files too. */
    private static final String DATA = "data";

    private PreparedReport() {}

    static void describe(Report report, Artifact artifact, Optional<ByteSize> block) {
        artifact.describe(report);
        if (artifact.prepared().isInPlace()) {
            String place = "the source's own files; inspect their folder to judge their row groups";
            report.answer("place: " + place).fact("place", place);
            sources(report, artifact);
            return;
        }
        List<StoredFile> data = artifact.files().stream()
                .filter(file -> file.name().endsWith(".parquet"))
                .filter(file -> Store.name(Store.folder(file.path())).equals(DATA))
                .toList();
        List<ParquetFile> files = ParquetReport.read(artifact.store(), data);
        long rows = files.stream().mapToLong(ParquetFile::rows).sum();
        if (rows != artifact.manifest().rows()) {
            throw new CorruptDataException(
                    artifact.folder(),
                    "its files have " + rows + " rows; the manifest lists "
                            + artifact.manifest().rows());
        }
        // Where files have blocks of their own, these count: a row larger than the job's block has a larger one.
        Optional<ByteSize> held = block.or(() -> artifact.store().hasBlocks() ? Optional.empty() : jobBlock(artifact));
        ParquetReport.rowGroups(
                report,
                files.stream()
                        .map(file -> file.withBlock(held.map(ByteSize::bytes).orElse(file.blockBytes())))
                        .toList());
        sources(report, artifact);
        if (!artifact.prepared().badRows().isEmpty()) {
            report.answer("bad rows: "
                    + Report.listed(artifact.prepared().badRows().entrySet().stream()
                            .map(bad -> bad.getKey() + " " + bad.getValue())
                            .toList()));
            Report.Table bad = report.table("bad rows", "reason", "count");
            artifact.prepared().badRows().forEach(bad::add);
        }
    }

    private static void sources(Report report, Artifact artifact) {
        Report.Table sources = report.table("sources", "name");
        artifact.prepared().sources().forEach(sources::add);
    }

    private static Optional<ByteSize> jobBlock(Artifact artifact) {
        String written = artifact.manifest().job().path("prepare").path("block").asText();
        try {
            return written.isEmpty() ? Optional.empty() : Optional.of(ByteSize.parse(written));
        } catch (BadValue e) {
            return Optional.empty();
        }
    }
}
