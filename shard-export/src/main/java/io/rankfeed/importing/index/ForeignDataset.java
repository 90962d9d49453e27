package io.rankfeed.importing.index;

import io.rankfeed.schema.failure.CorruptDataException;
import java.util.List;
import java.util.Set;

/** A dataset of another format. Reading it changes nothing, and gives the same result as long as its files do not change. */
public interface ForeignDataset {
    /** The name of the format, as in {@code webdataset}. */
    String format();

    /** The parts, sorted by the path of their first file. */
    List<Part> parts();

    /**
     * Lists the samples of a part. Safe for several threads, each with another part.
     *
     * @param names the columns that are fed, empty for all; the values of others are not read
     * @throws CorruptDataException if a file is not of this format; a damaged sample is listed instead
     */
    IndexedPart index(Part part, Set<String> names);

    /** The files that have no samples, but define them, sorted. */
    default List<String> otherFiles() {
        return List.of();
    }

    /**
     * Files that are indexed together.
     *
     * @param folder the folder below the root that they are in; empty for the root
     * @param files paths below the root; at least one
     */
    record Part(String folder, List<String> files) {
        public Part {
            files = List.copyOf(files);
        }
    }
}
