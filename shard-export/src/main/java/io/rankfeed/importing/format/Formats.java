package io.rankfeed.importing.format;

import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.ForeignDataset;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** The formats by name, and by the files of a dataset. */
public final class Formats {
    private static final Map<String, Function<DatasetRoot, ForeignDataset>> BY_NAME = new TreeMap<>(Map.of(
            "npy", NpyDataset::new,
            "enn", EnnDataset::new,
            "image-mmap", ImageMmapDataset::new,
            "huggingface", ArrowDataset::new,
            "webdataset", WebDataset::new,
            "megatron", MegatronDataset::new,
            "images", ImageFolderDataset::new));

    private Formats() {}

    /**
     * Opens a dataset.
     *
     * @param path its folder, or its only file
     * @param format its name; if it is absent, the files say which it is
     * @throws ConfigException if nothing is there, or the format is unknown or ambiguous
     */
    public static ForeignDataset open(Path path, Optional<String> format) {
        DatasetRoot root = DatasetRoot.at(path);
        String name = format.orElseGet(() -> recognized(root));
        Function<DatasetRoot, ForeignDataset> opener = BY_NAME.get(name);
        if (opener == null) {
            throw new ConfigException(
                    "unknown format '" + name + "'" + Suggestion.hint(name, List.copyOf(BY_NAME.keySet())));
        }
        return opener.apply(root);
    }

    private static String recognized(DatasetRoot root) {
        Set<String> found = new TreeSet<>();
        // The first folder with a file of some format decides, so that a large dataset is not walked twice.
        Folders.first(root, folder -> {
            root.list(folder).files().forEach(file -> byName(file.substring(file.lastIndexOf('/') + 1))
                    .ifPresent(found::add));
            return !found.isEmpty();
        });
        if (found.size() == 1) {
            return found.iterator().next();
        }
        throw new ConfigException(root.shown("")
                + (found.isEmpty()
                        ? " has no files of a known format: " + String.join(", ", BY_NAME.keySet())
                        : " has files of several formats, " + String.join(", ", found) + "; choose one with --format"));
    }

    private static Optional<String> byName(String file) {
        if (file.equals(ArrowDataset.STATE)
                || file.equals(ArrowDataset.SPLITS)
                || file.endsWith(ArrowDataset.EXTENSION)) {
            return Optional.of("huggingface");
        } else if (file.equals(EnnDataset.META) || file.equals(EnnDataset.MULTINODE)) {
            return Optional.of("enn");
        } else if (file.endsWith(NpyDataset.EXTENSION)) {
            return Optional.of("npy");
        } else if (file.endsWith(WebDataset.EXTENSION)) {
            return Optional.of("webdataset");
        } else if (file.endsWith(MegatronDataset.INDEX)) {
            return Optional.of("megatron");
        } else if (file.endsWith(ImageMmapDataset.EXTENSION)) {
            return Optional.of("image-mmap");
        }
        return ImageFolderDataset.isImage(file) ? Optional.of("images") : Optional.empty();
    }
}
