package io.rankfeed.importing.format;

import io.rankfeed.importing.index.Damages;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.ForeignDataset;
import io.rankfeed.importing.index.IndexedColumn;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.index.OpenFile;
import io.rankfeed.importing.index.Values;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Memory-mapped feature stores of ENN: {@code meta.json} next to files of elements without a header. A root with {@code multinode.json} has
 * several of them. The columns are {@code X}, {@code Y}, and {@code row_ids} of stores that have a file of them.
 */
final class EnnDataset implements ForeignDataset {
    static final String META = "meta.json";
    static final String MULTINODE = "multinode.json";

    private static final String ROW_IDS = "row_ids";

    private final DatasetRoot root;
    private final List<Part> parts = new ArrayList<>();
    private final List<String> others = new ArrayList<>();

    EnnDataset(DatasetRoot root) {
        this.root = root;
        if (root.has(MULTINODE)) {
            others.add(MULTINODE);
            for (String folder : EnnJson.read(root, MULTINODE).folders()) {
                parts.add(part(root.require(folder)));
            }
        } else {
            parts.add(part(""));
        }
        parts.sort((a, b) -> DatasetRoot.PATHS.compare(a.folder(), b.folder()));
        others.sort(DatasetRoot.PATHS);
    }

    @Override
    public String format() {
        return "enn";
    }

    @Override
    public List<Part> parts() {
        return List.copyOf(parts);
    }

    @Override
    public List<String> otherFiles() {
        return List.copyOf(others);
    }

    private Part part(String folder) {
        String path = DatasetRoot.in(folder, META);
        EnnJson meta = EnnJson.read(root, path);
        others.add(path);
        List<String> files = new ArrayList<>();
        files.add(root.require(DatasetRoot.in(folder, meta.text("features_path", "features.mmt"))));
        if (meta.hasLabels()) {
            files.add(root.require(DatasetRoot.in(folder, meta.text("labels_path", "labels.mmt"))));
        }
        // A link is listed too, and refused when it is opened.
        if (Files.exists(root.path().resolve(rowIds(folder)), LinkOption.NOFOLLOW_LINKS)) {
            files.add(root.require(rowIds(folder)));
        }
        return new Part(folder, files);
    }

    private static String rowIds(String folder) {
        return DatasetRoot.in(folder, ROW_IDS + ".mmt");
    }

    private boolean hasRowIds(Part part) {
        return part.files().contains(rowIds(part.folder()));
    }

    @Override
    public IndexedPart index(Part part, Set<String> names) {
        EnnJson meta = EnnJson.read(root, DatasetRoot.in(part.folder(), META));
        long rows = meta.count("N");
        List<IndexedColumn> columns = new ArrayList<>();
        Shape features = Shape.of(meta.dimension("feature_dim"));
        columns.add(column("X", meta.dtype("features_dtype", "float64"), features, part, 0, rows));
        int labels = hasRowIds(part) ? part.files().size() - 2 : part.files().size() - 1;
        if (labels > 0) {
            DType dtype = meta.dtype("labels_dtype", "int64");
            columns.add(column("Y", dtype, meta.shape("label_shape"), part, labels, rows));
        }
        if (names.isEmpty() ? parts.stream().anyMatch(this::hasRowIds) : names.contains(ROW_IDS)) {
            columns.add(column(ROW_IDS, DType.INT64, Shape.scalar(), requireRowIds(part), labels + 1, rows));
        }
        return IndexedPart.of(rows, columns, new Damages());
    }

    /** Ids of some stores only would be mixed with those of no row. */
    private Part requireRowIds(Part part) {
        if (!hasRowIds(part)) {
            throw new ConfigException(root.shown(rowIds(part.folder()))
                    + " does not exist; leave out row_ids with --columns X, or X,Y, or write the store again");
        }
        return part;
    }

    private IndexedColumn column(String name, DType dtype, Shape shape, Part part, int file, long rows) {
        long stride = (long) shape.elements() * dtype.sizeBytes();
        String path = part.files().get(file);
        try (OpenFile open = root.open(path)) {
            long bytes = open.bytes().lengthBytes();
            if (rows > bytes / stride || rows * stride != bytes) {
                throw open.bytes()
                        .damage(
                                bytes,
                                "has " + bytes + " bytes; " + META + " states " + rows + " rows of " + stride
                                        + " bytes");
            }
        } catch (IOException e) {
            throw Folders.unreadable(root.shown(path), e);
        }
        return new IndexedColumn(name, dtype, shape, file, new Values.Strided(0, stride, rows));
    }
}
