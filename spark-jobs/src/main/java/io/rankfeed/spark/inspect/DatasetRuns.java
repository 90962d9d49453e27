package io.rankfeed.spark.inspect;

import io.rankfeed.schema.run.VersionName;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/** The runs of a dataset in any file system. */
record DatasetRuns(FileTree tree) implements VersionName.Runs {
    @Override
    public List<String> names(String folder) {
        return tree.entries(new Path(folder)).stream()
                .map(entry -> entry.getPath().getName())
                .toList();
    }

    @Override
    public Optional<byte[]> read(String file) {
        Path path = new Path(file);
        return tree.status(path).map(status -> tree.read(path, VersionName.MAX_RUN_BYTES));
    }

    @Override
    public void warn(String line) {
        System.err.println("rankfeed: " + line);
    }
}
