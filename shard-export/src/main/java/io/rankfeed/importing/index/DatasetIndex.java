package io.rankfeed.importing.index;

import io.rankfeed.importing.index.ForeignDataset.Part;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.CorruptDataException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The index of all parts of a dataset, in their order, which does not depend on the number of threads.
 *
 * @param columns what the parts have together
 * @param indexed by part; their columns have the values of small numbers themselves ({@link InlineValues})
 */
public record DatasetIndex(
        String format, MergedColumns columns, List<Part> parts, List<IndexedPart> indexed, List<String> otherFiles) {
    public DatasetIndex {
        parts = List.copyOf(parts);
        indexed = List.copyOf(indexed);
        otherFiles = List.copyOf(otherFiles);
    }

    /** Receives the number of each part that has been indexed, in any order and by several threads. */
    public interface Progress {
        void indexed(int part);
    }

    /**
     * Indexes a dataset.
     *
     * @param names the columns to index; empty for all
     * @throws io.rankfeed.schema.failure.ConfigException if a column cannot be fed, or the parts have other columns
     * @throws io.rankfeed.schema.failure.CorruptDataException if a file is not of the format, that of the first such part
     */
    public static DatasetIndex of(
            ForeignDataset dataset, DatasetRoot root, Set<String> names, int threads, Progress progress) {
        List<Part> parts = dataset.parts();
        refuseDuplicates(parts, root);
        List<IndexedPart> indexed = Parallel.map(parts.size(), threads, p -> {
            Part part = parts.get(p);
            IndexedPart found = InlineValues.in(dataset.index(part, names), part, root);
            TextCheck.run(found, part, root, names);
            progress.indexed(p);
            return found;
        });
        return new DatasetIndex(
                dataset.format(), MergedColumns.of(parts, indexed, names, root), parts, indexed, dataset.otherFiles());
    }

    /** A list of the dataset may name a file twice, whose samples would then be in the version twice. */
    private static void refuseDuplicates(List<Part> parts, DatasetRoot root) {
        Set<String> files = new HashSet<>();
        for (Part part : parts) {
            for (String file : part.files()) {
                if (!files.add(file)) {
                    throw new CorruptDataException(
                            root.shown(file), "is a duplicate in the list of the dataset's files");
                }
            }
        }
    }

    /** The fields of a sample. */
    public SampleSchema schema() {
        return columns.schema();
    }

    /** Samples that are whole. */
    public long wholeRows() {
        return indexed.stream().mapToLong(IndexedPart::wholeRows).sum();
    }

    /** Damaged samples, and rests of files. */
    public long damaged() {
        return indexed.stream().mapToLong(part -> part.damages().count()).sum();
    }

    /** All files: those of the parts in their order, then the others. A file's place in this list is its number. */
    public List<String> files() {
        List<String> files = new ArrayList<>();
        parts.forEach(part -> files.addAll(part.files()));
        files.addAll(otherFiles);
        return files;
    }
}
