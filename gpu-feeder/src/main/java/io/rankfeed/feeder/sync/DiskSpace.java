package io.rankfeed.feeder.sync;

import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.ArtifactFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Checks before a copy whether the disk has room for all files. */
final class DiskSpace {
    private DiskSpace() {}

    /** @throws EnvironmentException with the bytes needed and available */
    static void check(List<ArtifactFile> files, Path target) throws IOException {
        long needed = 0;
        for (ArtifactFile file : files) {
            Path local = file.path().in(target);
            boolean likelyWhole = sizeOf(local) == file.bytes();
            needed += likelyWhole ? 0 : file.bytes() - Math.clamp(sizeOf(FileSync.partOf(local)), 0, file.bytes());
        }
        long available = Files.getFileStore(target).getUsableSpace();
        if (needed > available) {
            throw new EnvironmentException("the cache needs " + needed + " bytes (" + ByteSize.rounded(needed)
                    + ") more, the disk under " + target + " has " + available + " (" + ByteSize.rounded(available)
                    + ") free; delete old versions, which stay until they are deleted, or choose another folder with"
                    + " --cache");
        }
    }

    private static long sizeOf(Path file) throws IOException {
        return Files.exists(file) ? Files.size(file) : -1;
    }
}
