package io.rankfeed.importing.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
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
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Memory-mapped feature stores of ENN: {@code meta.json} next to files of elements without a header. A root with {@code multinode.json} has
 * several of them. The columns are {@code X} and {@code Y}.
 */
final class EnnDataset implements ForeignDataset {
    static final String META = "meta.json";
    static final String MULTINODE = "multinode.json";

    private static final int MAX_META_BYTES = 1 << 20;

    /** Python writes NaN and infinite numbers as words. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final DatasetRoot root;
    private final List<Part> parts = new ArrayList<>();
    private final List<String> others = new ArrayList<>();

    EnnDataset(DatasetRoot root) {
        this.root = root;
        if (root.has(MULTINODE)) {
            others.add(MULTINODE);
            // A list of folders, or an object of them.
            for (JsonNode folder : json(MULTINODE)) {
                if (!folder.isTextual() || folder.textValue().isEmpty()) {
                    throw new CorruptDataException(root.shown(MULTINODE), "must have paths of folders, not " + folder);
                }
                parts.add(part(root.require(folder.textValue())));
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
        JsonNode meta = json(path);
        others.add(path);
        List<String> files = new ArrayList<>();
        files.add(root.require(DatasetRoot.in(folder, text(meta, "features_path", "features.mmt", path))));
        if (hasLabels(meta)) {
            files.add(root.require(DatasetRoot.in(folder, text(meta, "labels_path", "labels.mmt", path))));
        }
        return new Part(folder, files);
    }

    /** The store's reader takes the absent path of labels for none. */
    private static boolean hasLabels(JsonNode meta) {
        return meta.path("labels_path").isTextual()
                && !meta.path("features_only").asBoolean(false);
    }

    @Override
    public IndexedPart index(Part part, Set<String> names) {
        String path = DatasetRoot.in(part.folder(), META);
        JsonNode meta = json(path);
        long rows = count(meta.path("N"), "N", path);
        List<IndexedColumn> columns = new ArrayList<>();
        int features = dimension(meta.path("feature_dim"), "feature_dim", path);
        columns.add(column("X", dtype(meta, "features_dtype", "float64", path), Shape.of(features), part, 0, rows));
        if (part.files().size() > 1) {
            List<Integer> dims = new ArrayList<>();
            for (JsonNode dim : meta.path("label_shape")) {
                dims.add(dimension(dim, "label_shape", path));
            }
            Shape shape = shape("label_shape", dims, path);
            columns.add(column("Y", dtype(meta, "labels_dtype", "int64", path), shape, part, 1, rows));
        }
        return IndexedPart.of(rows, columns, new Damages());
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

    private JsonNode json(String path) {
        try (OpenFile file = root.open(path)) {
            long bytes = file.bytes().lengthBytes();
            if (bytes > MAX_META_BYTES) {
                throw new CorruptDataException(
                        root.shown(path), "has " + bytes + " bytes; at most " + MAX_META_BYTES + " are read");
            }
            JsonNode json =
                    JSON.readTree(file.bytes().read(0, bytes, "the file").array());
            if (!json.isContainerNode()) {
                throw new CorruptDataException(root.shown(path), 0, "is not a JSON object or list");
            }
            return json;
        } catch (JsonProcessingException e) {
            long offset =
                    e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getByteOffset());
            throw new CorruptDataException(root.shown(path), offset, "is not valid JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw Folders.unreadable(root.shown(path), e);
        }
    }

    private String text(JsonNode meta, String name, String otherwise, String path) {
        JsonNode value = meta.path(name);
        if (!value.isMissingNode() && !value.isTextual()) {
            throw new CorruptDataException(root.shown(path), name + " must be a string, not " + value);
        }
        return value.asText(otherwise);
    }

    private DType dtype(JsonNode meta, String name, String otherwise, String path) {
        String dtype = meta.path(name).isNull() ? otherwise : text(meta, name, otherwise, path);
        try {
            DType found = DType.fromId(dtype);
            if (!found.isBytes()) {
                return found;
            }
        } catch (ConfigException e) {
            // The message below names file and member.
        }
        throw new ConfigException(root.shown(path) + ": " + name + " '" + dtype + "' is not a type of numbers");
    }

    private Shape shape(String name, List<Integer> dims, String path) {
        try {
            return new Shape(dims);
        } catch (ConfigException e) {
            throw new CorruptDataException(root.shown(path), name + ": " + e.getMessage());
        }
    }

    private long count(JsonNode value, String name, String path) {
        if (!value.canConvertToLong() || !value.isIntegralNumber() || value.longValue() < 0) {
            throw new CorruptDataException(root.shown(path), name + " must be an integer of at least 0, not " + value);
        }
        return value.longValue();
    }

    private int dimension(JsonNode value, String name, String path) {
        long size = count(value, name, path);
        if (size == 0 || size > Integer.MAX_VALUE) {
            throw new CorruptDataException(root.shown(path), name + " has a dimension of " + size);
        }
        return (int) size;
    }
}
