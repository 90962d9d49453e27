package io.rankfeed.importing.format;

import io.rankfeed.importing.index.Damages;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.ForeignDataset;
import io.rankfeed.importing.index.IndexedColumn;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.index.OpenFile;
import io.rankfeed.importing.index.Values;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Arrays of NumPy. Each folder is a part; each file in it is a column, named by the file, whose first dimension counts the samples. The
 * folders of a dataset have the same columns.
 */
final class NpyDataset implements ForeignDataset {
    static final String EXTENSION = ".npy";

    private final DatasetRoot root;
    private final List<Part> parts;

    NpyDataset(DatasetRoot root) {
        this.root = root;
        this.parts = Folders.parts(root, EXTENSION);
    }

    @Override
    public String format() {
        return "npy";
    }

    @Override
    public List<Part> parts() {
        return parts;
    }

    @Override
    public IndexedPart index(Part part, Set<String> names) {
        List<IndexedColumn> columns = new ArrayList<>();
        for (int i = 0; i < part.files().size(); i++) {
            String path = part.files().get(i);
            if (isFed(path, part, names)) {
                columns.add(column(path, i));
            }
        }
        IndexedColumn first = columns.get(0);
        long rows = first.values().rows();
        for (IndexedColumn column : columns) {
            if (column.values().rows() != rows) {
                throw new ConfigException(root.shown(part.files().get(column.file())) + " has "
                        + column.values().rows() + " samples, "
                        + root.shown(part.files().get(first.file())) + " has " + rows
                        + "; the files of a folder are columns of the same samples, move other arrays to another folder,"
                        + " or leave them out with --columns");
            }
        }
        return IndexedPart.of(rows, columns, new Damages());
    }

    /** Where a name is of no file of a part, all files are read: the message about it has the known names. */
    private static boolean isFed(String path, Part part, Set<String> names) {
        List<String> known = part.files().stream().map(DatasetRoot::stem).toList();
        return names.isEmpty() || names.contains(DatasetRoot.stem(path)) || !known.containsAll(names);
    }

    private IndexedColumn column(String path, int file) {
        String name = DatasetRoot.stem(path);
        if (!Field.isName(name)) {
            throw new ConfigException(root.shown(path) + ": a column is named by its file, and a name "
                    + Field.NAME_RULE + "; rename the file");
        }
        try (OpenFile open = root.open(path)) {
            NpyHeader header = NpyHeader.read(open.bytes());
            if (header.shape().isEmpty()) {
                throw new ConfigException(
                        root.shown(path) + " is a single number; its first dimension must count the samples");
            }
            Shape shape = shape(
                    root.shown(path), header.shape().subList(1, header.shape().size()));
            long stride = (long) shape.elements() * header.dtype().sizeBytes();
            return new IndexedColumn(
                    name,
                    header.dtype(),
                    shape,
                    file,
                    new Values.Strided(
                            header.valuesOffset(), stride, header.shape().get(0)));
        } catch (IOException e) {
            throw Folders.unreadable(root.shown(path), e);
        }
    }

    private static Shape shape(String shown, List<Long> dims) {
        if (dims.stream().anyMatch(dim -> dim > Integer.MAX_VALUE)) {
            throw new ConfigException(shown + ": samples of the shape " + dims + " are too large");
        }
        try {
            return new Shape(dims.stream().map(Math::toIntExact).toList());
        } catch (ConfigException e) {
            throw new ConfigException(shown + ": " + e.getMessage(), e);
        }
    }
}
