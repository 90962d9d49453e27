package io.rankfeed.importing.format;

import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.ForeignDataset.Part;
import io.rankfeed.schema.cache.FileBytes;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Walks the folders of a dataset. */
final class Folders {
    private static final int MAX_DEPTH = 16;

    private Folders() {}

    /** Each folder with files of this extension as one part, sorted. */
    static List<Part> parts(DatasetRoot root, String extension) {
        List<Part> parts = new ArrayList<>();
        walk(root, folder -> {
            List<String> files = files(root, folder, extension);
            if (!files.isEmpty()) {
                parts.add(new Part(folder, files));
            }
        });
        return required(root, parts, extension);
    }

    /** Each file of this extension as one part, sorted. */
    static List<Part> fileParts(DatasetRoot root, String extension) {
        List<Part> parts = new ArrayList<>();
        walk(root, folder -> files(root, folder, extension)
                .forEach(file -> parts.add(new Part(folder, List.of(file)))));
        return required(root, parts, extension);
    }

    /** Calls the visitor for each folder of the dataset: the root first, then those below a folder, sorted. */
    static void walk(DatasetRoot root, Consumer<String> visitor) {
        first(root, folder -> {
            visitor.accept(folder);
            return false;
        });
    }

    /** Walks as {@link #walk} does, up to the first folder that matches. */
    static void first(DatasetRoot root, Predicate<String> matches) {
        first(root, "", MAX_DEPTH, matches);
    }

    private static boolean first(DatasetRoot root, String folder, int depth, Predicate<String> matches) {
        if (matches.test(folder)) {
            return true;
        }
        for (String below : root.list(folder).folders()) {
            if (depth == 0) {
                throw new ConfigException(root.shown(below) + " is more than " + MAX_DEPTH + " folders deep");
            }
            if (first(root, below, depth - 1, matches)) {
                return true;
            }
        }
        return false;
    }

    /** The files of a folder whose names end with an extension. A link with such a name is refused, as it would be a missing sample. */
    private static List<String> files(DatasetRoot root, String folder, String extension) {
        DatasetRoot.Listing listing = root.list(folder);
        for (String other : listing.others()) {
            if (other.endsWith(extension)) {
                throw new ConfigException(root.shown(other)
                        + " is not a regular file; links are not followed, give the folder that has the files");
            }
        }
        return listing.files().stream()
                .filter(file -> file.endsWith(extension))
                .map(root::require)
                .toList();
    }

    private static List<Part> required(DatasetRoot root, List<Part> parts, String extension) {
        if (parts.isEmpty()) {
            throw new ConfigException(root.shown("") + " has no file *" + extension);
        }
        return List.copyOf(parts);
    }

    /** The exception for a file that is whole, but of a kind that is not read. */
    static ConfigException unsupported(FileBytes file, String what) {
        return new ConfigException(file.file() + ": " + what);
    }

    static EnvironmentException unreadable(String file, IOException e) {
        return new EnvironmentException(IoReason.of("cannot read " + file, e), e);
    }
}
