package io.rankfeed.importing.write;

import io.rankfeed.importing.format.Formats;
import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.DatasetRoot.Stamp;
import io.rankfeed.importing.index.ExternalFile;
import io.rankfeed.importing.index.ForeignDataset;
import io.rankfeed.importing.index.Parallel;
import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/** A dataset that is imported: its index, and its files as they were before it was indexed. */
public final class ImportSource {
    private final Path path;
    private final ForeignDataset dataset;
    private final DatasetRoot root;
    private final List<String> files;
    private List<Stamp> stamps = List.of();
    private final int[] firstFile;

    private ImportSource(Path path, ForeignDataset dataset) {
        this.path = path;
        this.dataset = dataset;
        this.root = DatasetRoot.at(path);
        this.files = files(dataset);
        this.firstFile = new int[dataset.parts().size()];
        for (int p = 1; p < firstFile.length; p++) {
            firstFile[p] = firstFile[p - 1] + dataset.parts().get(p - 1).files().size();
        }
    }

    /**
     * Lists the files of a dataset. Their {@link #stamp} has to be taken before anything else.
     *
     * @param path its folder, or its only file
     * @param format its name; if it is absent, the files say which it is
     */
    public static ImportSource open(Path path, Optional<String> format) {
        return new ImportSource(path, Formats.open(path, format));
    }

    /** The number of files. */
    public int count() {
        return files.size();
    }

    /**
     * Takes the length and the time of each file.
     *
     * @param progress receives each file, from several threads
     */
    public void stamp(int threads, Runnable progress) {
        stamps = Parallel.map(files.size(), threads, i -> {
            Stamp stamp = root.stamp(files.get(i));
            progress.run();
            return stamp;
        });
    }

    /** The numbers of files are those of {@link DatasetIndex#files}. */
    private static List<String> files(ForeignDataset dataset) {
        List<String> files = new ArrayList<>();
        dataset.parts().forEach(part -> files.addAll(part.files()));
        files.addAll(dataset.otherFiles());
        return files;
    }

    public DatasetRoot root() {
        return root;
    }

    public String format() {
        return dataset.format();
    }

    /** The length of all files. */
    public long bytes() {
        return stamps.stream().mapToLong(Stamp::bytes).sum();
    }

    /** The length of the files of a part. */
    public long bytesOf(int part) {
        int end = firstFile[part] + dataset.parts().get(part).files().size();
        return stamps.subList(firstFile[part], end).stream()
                .mapToLong(Stamp::bytes)
                .sum();
    }

    /**
     * Lists the samples, part by part.
     *
     * @param names the columns; empty for all
     * @param progress receives each part whose samples are listed
     */
    public DatasetIndex index(Set<String> names, int threads, DatasetIndex.Progress progress) {
        return DatasetIndex.of(dataset, root, names, threads, progress);
    }

    /**
     * Reads every file for its digest.
     *
     * @param progress receives numbers of bytes that were read, from several threads
     * @throws CorruptDataException if the dataset has changed since it was opened
     */
    public List<ExternalFile> read(int threads, LongConsumer progress) {
        List<ExternalFile> read = Parallel.map(
                files.size(), threads, i -> ExternalFile.read(root, files.get(i), stamps.get(i), progress));
        ForeignDataset now = Formats.open(path, Optional.of(dataset.format()));
        if (!now.parts().equals(dataset.parts()) || !now.otherFiles().equals(dataset.otherFiles())) {
            throw new CorruptDataException(
                    root.shown(""),
                    "has other files than at the begin of the import; import again when no program writes to it");
        }
        return read;
    }
}
