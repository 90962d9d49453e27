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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

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
    /** Links and devices with the name of an image, by class. They are samples that cannot be read. */
    private final Map<String, List<String>> othersOfClass = new HashMap<>();

    ImageFolderDataset(DatasetRoot root) {
        this.root = root;
        Folders.walk(root, this::add);
        if (filesOfClass.isEmpty()) {
            throw new ConfigException(root.shown("")
                    + (othersOfClass.isEmpty()
                            ? " has no image file: " + String.join(", ", EXTENSIONS)
                            : " has only links to images; links are not followed, give the folder that has the files"));
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
        add(listing.files(), name, filesOfClass);
        add(listing.others(), name, othersOfClass);
    }

    private void add(List<String> listed, String name, Map<String, List<String>> ofClass) {
        List<String> files = listed.stream()
                .filter(ImageFolderDataset::isImage)
                .map(root::require)
                .toList();
        if (!files.isEmpty()) {
            ofClass.computeIfAbsent(name, first -> new ArrayList<>()).addAll(files);
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

    /** The links of the part's class; of the first part also those of classes without a file. */
    private List<String> others(Part part) {
        boolean isFirst = part.folder().equals(filesOfClass.keySet().iterator().next());
        return othersOfClass.entrySet().stream()
                .filter(entry ->
                        entry.getKey().equals(part.folder()) || (isFirst && !filesOfClass.containsKey(entry.getKey())))
                .flatMap(entry -> entry.getValue().stream())
                .sorted(DatasetRoot.PATHS)
                .toList();
    }

    @Override
    public IndexedPart index(Part part, Set<String> names) {
        Values.Ranges images = new Values.Ranges();
        Values.Numbers labels = new Values.Numbers();
        Damages damages = new Damages();
        int label = classes.indexOf(part.folder());
        for (String file : part.files()) {
            long bytes = root.has(file) ? root.size(file) : 0;
            if (bytes == 0) {
                damages.addSample(images.rows(), file, 0, "is empty");
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
        others(part)
                .forEach(file -> damages.addRest(file, 0, "is not a regular file; links and devices are not followed"));
        List<IndexedColumn> columns = new ArrayList<>();
        columns.add(new IndexedColumn("image", DType.BINARY, Shape.scalar(), 0, images));
        if (!classes.isEmpty()) {
            columns.add(new IndexedColumn("label", DType.INT64, Shape.scalar(), 0, labels));
        }
        return new IndexedPart(images.rows(), columns, List.of(), true, Map.of(), damages);
    }
}
