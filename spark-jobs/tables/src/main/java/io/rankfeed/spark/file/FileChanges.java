package io.rankfeed.spark.file;

import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.schema.manifest.Input.InputFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** Finds the files of a folder that changed since they were recorded. */
public final class FileChanges {
    private FileChanges() {}

    /** Lists the differences by path, a line each, as in {@code t/part-1.parquet changed}. Both inputs are folders. */
    public static List<String> between(Input then, Input now) {
        Map<String, InputFile> were = files(then);
        Map<String, InputFile> are = files(now);
        TreeSet<String> paths = new TreeSet<>(were.keySet());
        paths.addAll(are.keySet());
        return paths.stream()
                .filter(path -> !Objects.equals(were.get(path), are.get(path)))
                .map(path -> ((FolderInput) now).name() + "/" + path
                        + (!are.containsKey(path)
                                ? " was removed"
                                : were.containsKey(path) ? " changed" : " was added"))
                .toList();
    }

    private static Map<String, InputFile> files(Input input) {
        Map<String, InputFile> files = new HashMap<>();
        ((FolderInput) input).files().forEach(file -> files.put(file.path(), file));
        return files;
    }
}
