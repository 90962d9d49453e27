package io.rankfeed.importing.format;

import io.rankfeed.importing.index.Damages;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.ForeignDataset;
import io.rankfeed.importing.index.IndexedColumn;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.index.Values;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Folders of image files, one folder per class: the columns are {@code image} and {@code label}, the number of the class in the order of
 * the folders. Without such folders, all files are one part without labels.
 */
final class ImageFolderDataset implements ForeignDataset {
    private static final List<String> EXTENSIONS =
            List.of(".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp");

    private final DatasetRoot root;
    private final List<String> classes = new ArrayList<>();
    private final Map<String, List<String>> filesOfClass = new LinkedHashMap<>();

    ImageFolderDataset(DatasetRoot root) {
        this.root = root;
        Folders.walk(root, this::add);
        if (filesOfClass.isEmpty()) {
            throw new ConfigException(root.shown("") + " has no image file: " + String.join(", ", EXTENSIONS));
        }
    }

    static boolean isImage(String path) {
        String name = path.toLowerCase(Locale.ROOT);
        return EXTENSIONS.stream().anyMatch(name::endsWith);
    }

    /** Adds the files of a folder to its class, the first component of its path. */
    private void add(String folder) {
        String name = folder.isEmpty() ? "" : folder.split("/", 2)[0];
        if (!folder.isEmpty() && name.equals(folder)) {
            classes.add(name);
        }
        DatasetRoot.Listing listing = root.list(folder);
        List<String> files = new ArrayList<>(listing.files());
        // Links with the name of an image are samples that cannot be read.
        files.addAll(listing.others());
        files.removeIf(file -> !isImage(file));
        if (!files.isEmpty()) {
            files.sort(DatasetRoot.PATHS);
            files.forEach(root::require);
            filesOfClass.computeIfAbsent(name, first -> new ArrayList<>()).addAll(files);
        }
    }

    @Override
    public String format() {
        return "images";
    }

    @Override
    public List<Part> parts() {
        return filesOfClass.entrySet().stream()
                .map(entry -> new Part(entry.getKey(), entry.getValue()))
                .toList();
    }

    @Override
    public IndexedPart index(Part part) {
        Values.Ranges images = new Values.Ranges();
        Values.Numbers labels = new Values.Numbers();
        Damages damages = new Damages();
        int label = classes.indexOf(part.folder());
        for (String file : part.files()) {
            long bytes = root.has(file) ? root.size(file) : 0;
            if (bytes == 0) {
                damages.addSample(images.rows(), file, 0, "is empty, or is not a regular file; links are not followed");
                images.addDamaged();
            } else {
                images.add(0, bytes);
            }
            if (label < 0) {
                labels.addMissing();
            } else {
                labels.add(label);
            }
        }
        List<IndexedColumn> columns = new ArrayList<>();
        columns.add(new IndexedColumn("image", DType.BINARY, Shape.scalar(), 0, images));
        if (!classes.isEmpty()) {
            columns.add(new IndexedColumn("label", DType.INT64, Shape.scalar(), 0, labels));
        }
        return new IndexedPart(images.rows(), columns, List.of(), true, Map.of(), damages);
    }
}
