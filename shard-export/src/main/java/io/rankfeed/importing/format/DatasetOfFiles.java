package io.rankfeed.importing.format;

import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.ForeignDataset;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.index.OpenFile;
import io.rankfeed.schema.cache.FileBytes;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** A dataset in which each file is a part. */
abstract class DatasetOfFiles implements ForeignDataset {
    private final DatasetRoot root;
    private final List<Part> parts;

    /** @param parts of one file each */
    DatasetOfFiles(DatasetRoot root, List<Part> parts) {
        this.root = root;
        this.parts = parts;
    }

    @Override
    public final List<Part> parts() {
        return parts;
    }

    @Override
    public final IndexedPart index(Part part, Set<String> names) {
        String path = part.files().get(0);
        try (OpenFile file = root.open(path)) {
            return index(path, file.bytes(), names);
        } catch (IOException e) {
            throw Folders.unreadable(root.shown(path), e);
        }
    }

    /**
     * Lists the samples of a file.
     *
     * @param names the columns that are fed, empty for all
     */
    abstract IndexedPart index(String path, FileBytes file, Set<String> names);
}
