package io.rankfeed.export.format.store;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.CountedFile;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.MetadataColumns;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFiles;
import io.rankfeed.export.format.PartSummary;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * An LMDB environment: a row under its index in decimal ASCII, and the number of rows under {@code __len__}. A row is
 * MessagePack of all its columns, or the bytes of one column.
 */
public final class Lmdb implements Format {
    /** The column whose bytes are the value. */
    private static final String VALUE = "value";

    @Override
    public String name() {
        return "lmdb";
    }

    @Override
    public Set<String> options() {
        return Set.of(VALUE);
    }

    @Override
    public boolean onePart() {
        return true;
    }

    @Override
    public void check(FileSet set) {
        if (set.rows() >= Integer.MAX_VALUE) {
            throw new ConfigException(
                    "format lmdb: " + set.rows() + " rows exceed the maximum of an environment, 2^31 - 2; use ranks");
        }
        int value = valueField(set);
        for (int field = 0; value >= 0 && field < set.schema().fields().size(); field++) {
            Field other = set.schema().fields().get(field);
            if (field != value) {
                MetadataColumns.require(name(), other, "it is not the option " + VALUE);
            }
        }
    }

    /** Next to a value of one column, the other columns are in the metadata. */
    @Override
    public List<Integer> metadataFields(FileSet set) {
        int value = valueField(set);
        if (value < 0) {
            return Format.super.metadataFields(set);
        }
        return IntStream.range(0, set.schema().fields().size())
                .filter(field -> field != value)
                .boxed()
                .toList();
    }

    @Override
    public FormatWriter open(FileSet set, Part part, PartFiles files) throws IOException {
        return new Writer(set, part, valueField(set), metadataFields(set), files);
    }

    /** The index of the column whose bytes are the value, or -1 for MessagePack. */
    private static int valueField(FileSet set) {
        SampleSchema schema = set.schema();
        String named = set.options().text(VALUE, "");
        if (named.isEmpty()) {
            return schema.fields().size() == 1 && isBytes(schema.fields().get(0)) ? 0 : -1;
        }
        Field field = Format.column("lmdb", VALUE, schema, named);
        if (!isBytes(field)) {
            throw Format.unsupported("lmdb", field, "a value of one column is binary or string, and never null");
        }
        return schema.fields().indexOf(field);
    }

    private static boolean isBytes(Field field) {
        return field.kind() == Field.Kind.BYTES && !field.nullable();
    }

    private static final class Writer implements FormatWriter {
        private final FileSet set;
        private final Part part;
        /** The index of the column whose bytes are the value, or -1. */
        private final int value;
        /** The fields of a row's own metadata; empty if the value is the whole row. */
        private final List<Integer> metadata;

        private final PartFiles files;
        private final LmdbValue pack;
        private final ByteBuilder json = new ByteBuilder();
        private final LmdbFile file = new LmdbFile(Path.of(System.getProperty("java.io.tmpdir")));

        Writer(FileSet set, Part part, int value, List<Integer> metadata, PartFiles files) throws IOException {
            this.set = set;
            this.part = part;
            this.value = value;
            this.metadata = value < 0 ? List.of() : metadata;
            this.files = files;
            this.pack = new LmdbValue(set.schema());
        }

        @Override
        public void row(FormatRow row) throws IOException {
            if (value < 0) {
                ByteBuilder packed = pack.of(row);
                file.add(packed.array(), 0, packed.size());
                return;
            }
            file.add(row.array(value), row.offset(value), row.lengthBytes(value));
            if (!metadata.isEmpty()) {
                json.clear();
                MetadataColumns.append(row, set.schema(), metadata, json);
                file.addMetadata(json.array(), 0, json.size());
            }
        }

        @Override
        public PartSummary finish() throws IOException {
            try (CountedFile out = new CountedFile(files, set.split() + "/data.mdb")) {
                file.finish(out);
                return PartSummary.of(part.index(), List.of(out.publish(part.rows())));
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
