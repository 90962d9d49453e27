package io.rankfeed.export.format.record;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.MetadataColumns;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFiles;
import io.rankfeed.export.format.Survey;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A file with the number of images, the offset and the length of each, and their bytes. The other columns are in
 * {@code <split>_metadata.json}. The survey collects the lengths, so that neither images nor index are in memory twice.
 */
public final class ImageMmap implements Format {
    /** The option with the column of the images; not required if only one column has bytes. */
    static final String IMAGE = "image";

    @Override
    public String name() {
        return "image-mmap";
    }

    @Override
    public Set<String> options() {
        return Set.of(IMAGE);
    }

    @Override
    public boolean onePart() {
        return true;
    }

    @Override
    public void check(FileSet set) {
        int image = image(set);
        List<Field> fields = set.schema().fields();
        if (fields.get(image).nullable()) {
            throw Format.unsupported(name(), fields.get(image), "a missing image would be read as an empty one");
        }
        for (int field = 0; field < fields.size(); field++) {
            if (field != image) {
                MetadataColumns.require(name(), fields.get(field), "it is not the option " + IMAGE);
            }
        }
    }

    @Override
    public Optional<Survey> survey(FileSet set) {
        int image = image(set);
        ByteBuilder lengths = new ByteBuilder();
        return Optional.of(new Survey() {
            @Override
            public void row(FormatRow row) {
                lengths.putInt(row.lengthBytes(image));
            }

            @Override
            public byte[] result() {
                return lengths.toByteArray();
            }
        });
    }

    @Override
    public FormatWriter open(FileSet set, Part part, PartFiles files) throws IOException {
        return new ImageMmapWriter(set, part, image(set), files);
    }

    @Override
    public List<Integer> metadataFields(FileSet set) {
        int image = image(set);
        List<Integer> others = new ArrayList<>();
        for (int field = 0; field < set.schema().fields().size(); field++) {
            if (field != image) {
                others.add(field);
            }
        }
        return others;
    }

    /** The index of the field with the images. */
    private static int image(FileSet set) {
        List<String> binary = set.schema().fields().stream()
                .filter(field -> field.dtype() == DType.BINARY && field.kind() == Field.Kind.BYTES)
                .map(Field::name)
                .toList();
        String name = set.options().text(IMAGE, binary.size() == 1 ? binary.get(0) : "");
        if (!binary.contains(name)) {
            throw new ConfigException("format image-mmap: set image to the column with the bytes of the images; "
                    + (binary.isEmpty() ? "no column is binary" : "binary are " + String.join(", ", binary))
                    + (name.isEmpty() ? "" : ", not '" + name + "'"));
        }
        return set.schema().names().indexOf(name);
    }
}
