package io.rankfeed.spark.prepare.write;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.export.commit.FaultPoints;
import io.rankfeed.export.commit.StagedFile;
import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.prepare.write.RowGroupEncoder.Encoded;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Brings encoded files to their place while their task encodes the next ones: a file system takes its time to sync a
 * file, and an HDFS to report that it has its last block. What fails there fails the task at its next file or at the end.
 */
final class Publications implements AutoCloseable {
    /** Files on their way at a time; each of them is on the local disk meanwhile. */
    private static final int AT_ONCE = 4;

    private final ArtifactAttempt folder;
    private final UserGroupInformation user;
    private final ExecutorService threads;
    private final ArrayDeque<Future<WrittenFile>> underWay = new ArrayDeque<>();
    private final List<WrittenFile> done = new ArrayList<>();

    Publications(ArtifactAttempt folder) {
        this.folder = folder;
        try {
            this.user = UserGroupInformation.getCurrentUser();
        } catch (IOException e) {
            throw Storage.failed("write to", folder.path(), e);
        }
        this.threads = Executors.newFixedThreadPool(AT_ONCE, work -> {
            Thread thread = new Thread(work, "publish " + folder.path().getName());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** The number of files that were added. */
    int count() {
        return done.size() + underWay.size();
    }

    /**
     * Takes a file over, and closes it once it is in place.
     *
     * @param blockBytes for file systems that have blocks
     */
    void add(Encoded encoded, String relativePath, long blockBytes) {
        while (underWay.size() >= AT_ONCE) {
            awaitFirst();
        }
        // Threads have no user of their own.
        PrivilegedExceptionAction<WrittenFile> publish = () -> publish(encoded, relativePath, blockBytes);
        underWay.addLast(threads.submit(() -> user.doAs(publish)));
    }

    /** All files, in the order in which they were given, each in its place. */
    List<WrittenFile> finish() {
        while (!underWay.isEmpty()) {
            awaitFirst();
        }
        return done;
    }

    private WrittenFile publish(Encoded encoded, String relativePath, long blockBytes) {
        try (encoded;
                StagedFile file = folder.stage(relativePath, blockBytes)) {
            encoded.copyTo(file.stream());
            WrittenFile written = file.publish(encoded.cut().rows());
            FaultPoints.reached("prepare.file-written");
            return written;
        } catch (IOException e) {
            throw Storage.failed("write to", folder.path(), e);
        }
    }

    private void awaitFirst() {
        try {
            done.add(underWay.removeFirst().get());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("publishing a file failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while files were written to " + folder.path(), e);
        }
    }

    /** Ends what is under way; nothing is written any more when it comes back. */
    @Override
    public void close() {
        threads.shutdownNow();
        boolean interrupted = false;
        boolean ended = false;
        while (!ended) {
            try {
                ended = threads.awaitTermination(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
