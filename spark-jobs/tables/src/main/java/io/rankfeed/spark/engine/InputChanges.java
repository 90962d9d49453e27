package io.rankfeed.spark.engine;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.file.SourceFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;

/** Detects input files that are replaced, appended to, truncated or deleted while a job reads them. */
public final class InputChanges {
    private InputChanges() {}

    /**
     * Compares the files with their listing after the work.
     *
     * @throws EnvironmentException if a file is no longer the listed one
     */
    public static void refuse(List<SourceFile> files, Configuration conf) {
        for (SourceFile file : files) {
            try {
                change(file, conf).ifPresent(what -> {
                    throw new EnvironmentException(what);
                });
            } catch (IOException e) {
                throw new EnvironmentException(IoReason.of("cannot read " + file.path(), e), e);
            }
        }
    }

    /**
     * Runs work over files. If it fails and a file changed, the change is reported as the cause: a file that is
     * replaced while it is read looks corrupted.
     *
     * @throws EnvironmentException if the work fails and a file is no longer the listed one
     */
    public static <T> T blaming(List<SourceFile> files, Configuration conf, Callable<T> work) {
        try {
            return work.call();
        } catch (Exception e) {
            for (SourceFile file : files) {
                try {
                    change(file, conf).ifPresent(what -> {
                        throw new EnvironmentException(what, e);
                    });
                } catch (IOException unavailable) {
                    e.addSuppressed(unavailable);
                }
            }
            // Scala throws checked exceptions without declaring them.
            throw SparkFailures.translated(e);
        }
    }

    private static Optional<String> change(SourceFile file, Configuration conf) throws IOException {
        String now;
        try {
            FileStatus status = Storage.of(file.path(), conf).getFileStatus(file.path());
            if (status.getLen() == file.lengthBytes() && status.getModificationTime() == file.modifiedMillis()) {
                return Optional.empty();
            }
            now = identity(status.getLen(), status.getModificationTime());
        } catch (FileNotFoundException e) {
            now = "";
        }
        return Optional.of(file.path() + (now.isEmpty() ? " was removed" : " changed")
                + " while the job read it: the job listed "
                + identity(file.lengthBytes(), file.modifiedMillis())
                + (now.isEmpty() ? "" : ", now it has " + now)
                + "; nothing was committed: run the job again when its inputs no longer change");
    }

    private static String identity(long lengthBytes, long modifiedMillis) {
        return String.format(Locale.ROOT, "%,d bytes of %s", lengthBytes, Instant.ofEpochMilli(modifiedMillis));
    }
}
