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
 * several of them. The columns are {@code X}, {@code Y} if there are labels, and {@code row_ids} if there is {@code row_ids.mmt}.
 */
final class EnnDataset implements ForeignDataset {
    static final String META = "meta.json";
    static final String MULTINODE = "multinode.json";

    private static final String ROW_IDS = "row_ids";

    private final DatasetRoot root;
    private final List<Part> parts = new ArrayList<>();
    private final List<String> others = new ArrayList<>();
    private final boolean anyRowIds;

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
        anyRowIds = parts.stream().anyMatch(part -> part.files().contains(rowIds(part.folder())));
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
        meta.labelsPath().ifPresent(labels -> files.add(root.require(DatasetRoot.in(folder, labels))));
        // A symbolic link is listed too, and refused as one in place of another file is.
        if (Files.exists(root.path().resolve(rowIds(folder)), LinkOption.NOFOLLOW_LINKS)) {
            files.add(root.require(rowIds(folder)));
        }
        return new Part(folder, files);
    }

    private static String rowIds(String folder) {
        return DatasetRoot.in(folder, ROW_IDS + ".mmt");
    }

    @Override
    public IndexedPart index(Part part, Set<String> names) {
        EnnJson meta = EnnJson.read(root, DatasetRoot.in(part.folder(), META));
        long rows = meta.count("N");
        List<IndexedColumn> columns = new ArrayList<>();
        Shape features = Shape.of(meta.dimension("feature_dim"));
        columns.add(column("X", meta.dtype("features_dtype", "float64"), features, part, 0, rows));
        int ids = part.files().indexOf(rowIds(part.folder()));
        if (part.files().size() > (ids < 0 ? 1 : 2)) {
            DType labels = meta.dtype("labels_dtype", "int64");
            columns.add(column("Y", labels, meta.shape("label_shape"), part, 1, rows));
        }
        // An unknown name gets a message with all names.
        boolean isLeftOut = !names.isEmpty() && Set.of("X", "Y").containsAll(names);
        if (names.contains(ROW_IDS) || (anyRowIds && !isLeftOut)) {
            requireRowIds(part, ids);
            columns.add(column(ROW_IDS, DType.INT64, Shape.scalar(), part, ids, rows));
        }
        return IndexedPart.of(rows, columns, new Damages());
    }

    /** Refuses a part without the file: its rows have no ids. */
    private void requireRowIds(Part part, int file) {
        if (file < 0) {
            throw new ConfigException(root.shown(rowIds(part.folder()))
                    + " is missing; all stores need it for the column row_ids: add the file, or select other columns, as in"
                    + " --columns X");
        }
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
