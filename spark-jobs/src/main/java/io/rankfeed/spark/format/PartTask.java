package io.rankfeed.spark.format;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.export.commit.FaultPoints;
import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatFile;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.MetadataJson;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartSummary;
import io.rankfeed.export.format.Survey;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes, in one task, the parts whose rows it gets, sorted by {@linkplain Sets#destination destination}. */
record PartTask(Sets sets, ArtifactAttempt folder) implements Serializable {
    /** A part that was written. */
    record Written(int part, PartSummary summary, List<WrittenFile> files, MetadataParts.Scratch metadata)
            implements Serializable {}

    /** The result of the survey of a part. */
    @SuppressWarnings("ArrayRecordComponent")
    record Surveyed(int part, byte[] result) implements Serializable {}

    /** Gets the rows of a part in order. */
    private interface Rows {
        void row(FormatRow row) throws IOException;
    }

    Iterator<Surveyed> survey(Iterator<InternalRow> rows) throws IOException {
        List<Surveyed> surveyed = new ArrayList<>();
        Sorted sorted = new Sorted(rows);
        while (sorted.hasNext()) {
            int part = sorted.part();
            FileSet set = sets.all().get(sets.setOf(part));
            Optional<Survey> survey = sets.format().survey(set);
            sorted.part(set, part - sets.firstPart(sets.setOf(part)), row -> survey.ifPresent(one -> one.row(row)));
            survey.ifPresent(one -> surveyed.add(new Surveyed(part, one.result())));
        }
        return surveyed.iterator();
    }

    /** @param surveys by set, the results for its parts */
    Iterator<Written> write(Iterator<InternalRow> rows, List<List<byte[]>> surveys) throws IOException {
        List<Written> written = new ArrayList<>();
        Sorted sorted = new Sorted(rows);
        while (sorted.hasNext()) {
            written.add(write(sorted.part(), Optional.of(sorted), surveys));
        }
        return written.iterator();
    }

    /** Writes a part without rows. */
    Written writeEmpty(int part, List<List<byte[]>> surveys) throws IOException {
        return write(part, Optional.empty(), surveys);
    }

    private Written write(int part, Optional<Sorted> rows, List<List<byte[]>> surveys) throws IOException {
        int number = sets.setOf(part);
        FileSet set = sets.all().get(number);
        Format format = sets.format();
        int index = part - sets.firstPart(number);
        Part described = set.part(index).with(surveys.get(number));
        StagedFiles files = new StagedFiles(folder, sets.root(number));
        MetadataParts.Files scratch = new MetadataParts.Files(folder);
        try (FormatWriter writer = format.open(set, described, files);
                MetadataJson metadata = new MetadataJson(set, format.metadataFields(set), scratch)) {
            if (rows.isPresent()) {
                rows.get().part(set, index, row -> {
                    writer.row(row);
                    metadata.row(row);
                });
            }
            FaultPoints.reached("format.in-part");
            PartSummary summary = writer.finish();
            FormatFile listed = metadata.finish();
            return new Written(part, summary, files.written(), scratch.written(listed.rows(), listed.lengthBytes()));
        } catch (IOException e) {
            throw Storage.failed("write", folder.path(), e);
        }
    }

    /** Rows of several parts, in order. */
    private static final class Sorted {
        private final Iterator<InternalRow> rows;
        private long destination;
        private byte[] row = {};
        private boolean hasNext;

        Sorted(Iterator<InternalRow> rows) {
            this.rows = rows;
            advance();
        }

        boolean hasNext() {
            return hasNext;
        }

        /** The part of the next row. */
        int part() {
            return Sets.partOf(destination);
        }

        private void advance() {
            hasNext = rows.hasNext();
            if (hasNext) {
                InternalRow next = rows.next();
                destination = next.getLong(0);
                row = next.getBinary(1);
            }
        }

        /** @throws CorruptDataException if a row of the part is missing, or there is another one */
        void part(FileSet set, int index, Rows taken) throws IOException {
            int part = part();
            long expected = set.part(index).rows();
            FormatRow values = new FormatRow(set.schema());
            long count = 0;
            while (hasNext && part() == part) {
                if (Sets.indexOf(destination) != count) {
                    throw missing(set, index, count);
                }
                StoredRow.fill(row, set.schema(), values);
                taken.row(values);
                count++;
                advance();
            }
            if (count != expected) {
                throw missing(set, index, count);
            }
        }

        private static CorruptDataException missing(FileSet set, int index, long at) {
            return new CorruptDataException(
                    set.split(),
                    "row " + (set.part(index).firstRow() + at)
                            + " of its order is missing in the lanes, or a duplicate; run the job again");
        }
    }
}
