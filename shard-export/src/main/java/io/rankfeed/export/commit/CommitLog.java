package io.rankfeed.export.commit;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.run.VersionCommit;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The order in which a dataset's versions were committed: one file per commit, created only if no file has its number. A run that is
 * killed while it writes leaves an incomplete file, which readers ignore; the same run, started again, takes the next number.
 */
public final class CommitLog {
    private CommitLog() {}

    /**
     * Adds a commit, which becomes the latest one.
     *
     * @param folder the dataset's folder
     * @throws EnvironmentException if it cannot be written
     */
    public static void add(FileSystem fs, Path folder, VersionCommit commit) {
        Path commits = new Path(folder, VersionCommit.FOLDER);
        try {
            fs.mkdirs(commits);
            long number = 1 + last(fs.listStatus(commits));
            while (!Storage.createNew(fs, new Path(commits, VersionCommit.fileName(number)), commit.toBytes())) {
                number++;
            }
        } catch (IOException e) {
            throw Storage.failed("write into", commits, e);
        }
    }

    private static long last(FileStatus[] commits) {
        return Stream.of(commits)
                .map(commit -> VersionCommit.number(commit.getPath().getName()))
                .filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong)
                .max()
                .orElse(0);
    }
}
