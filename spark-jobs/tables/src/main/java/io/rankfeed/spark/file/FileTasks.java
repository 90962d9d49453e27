package io.rankfeed.spark.file;

import java.util.ArrayList;
import java.util.List;

/** Consecutive files per Spark task: many small ones, or one large one. A function of the files alone. */
public final class FileTasks {
    private static final long TASK_BYTES = 32L << 20;

    /** The cost of opening a file, in bytes that could be read in that time. */
    private static final long OPEN_BYTES = 128L << 10;

    private FileTasks() {}

    public static List<List<SourceFile>> of(List<SourceFile> files) {
        List<List<SourceFile>> tasks = new ArrayList<>();
        List<SourceFile> task = new ArrayList<>();
        long bytes = 0;
        for (SourceFile file : files) {
            task.add(file);
            bytes += OPEN_BYTES + file.lengthBytes();
            if (bytes >= TASK_BYTES) {
                tasks.add(task);
                task = new ArrayList<>();
                bytes = 0;
            }
        }
        if (!task.isEmpty()) {
            tasks.add(task);
        }
        return tasks;
    }
}
