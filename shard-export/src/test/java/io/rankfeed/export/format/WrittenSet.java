package io.rankfeed.export.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Files of one set, written as a job does.
 *
 * @param parts in their order
 */
public record WrittenSet(FileSet set, MemoryFiles files, List<PartSummary> parts) {
    /** Writes the parts from the last to the first, as tasks may. */
    public static WrittenSet of(Format format, FileSet set, DrawnRows rows) throws IOException {
        format.check(set);
        MemoryFiles files = new MemoryFiles();
        FormatRow row = new FormatRow(set.schema());
        List<byte[]> surveys = new ArrayList<>();
        for (int part = 0; part < set.parts(); part++) {
            var survey = format.survey(set);
            if (survey.isPresent()) {
                for (int at : range(set.part(part))) {
                    rows.fill(row, at);
                    survey.get().row(row);
                }
                surveys.add(survey.get().result());
            }
        }
        List<PartSummary> parts = new ArrayList<>();
        for (int number = set.parts() - 1; number >= 0; number--) {
            Part part = set.part(number).with(surveys);
            try (FormatWriter writer = format.open(set, part, files)) {
                for (int at : range(part)) {
                    rows.fill(row, at);
                    writer.row(row);
                }
                parts.add(0, writer.finish());
            }
        }
        format.finish(set, parts, files);
        format.finishAll(List.of(set), files);
        try (MetadataJson metadata = new MetadataJson(set, format.metadataFields(set), files)) {
            for (int at = 0; at < set.rows(); at++) {
                rows.fill(row, at);
                metadata.row(row);
            }
            metadata.finish();
        }
        return new WrittenSet(set, files, parts);
    }

    /** The set of these rows, {@code partRows} in a part. */
    public static FileSet set(DrawnRows rows, long partRows, FormatOptions options) {
        return new FileSet("train", rows.schema(), rows.ids().size(), partRows, options);
    }

    private static int[] range(Part part) {
        int[] rows = new int[(int) part.rows()];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = (int) part.firstRow() + i;
        }
        return rows;
    }
}
