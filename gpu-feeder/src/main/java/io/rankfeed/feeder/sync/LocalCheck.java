package io.rankfeed.feeder.sync;

import io.rankfeed.feeder.cache.ArtifactFolder;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.ArtifactFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;

/** Compares files of a folder with the manifest. Used by one thread. */
public final class LocalCheck {
    private final ArtifactFolder folder;
    private final SyncProgress progress;
    private final FileDigest digest;

    public LocalCheck(ArtifactFolder folder, SyncProgress progress) {
        this.folder = folder;
        this.progress = progress;
        this.digest = new FileDigest(progress);
    }

    /** @throws CorruptDataException if it is missing, longer, shorter or of another digest */
    public void require(ArtifactFile file) {
        try (FileChannel channel = folder.open(file.path())) {
            Lengths.check(folder.address(file.path()), channel.size(), file);
            String found = digest.sha256(channel);
            if (!found.equals(file.sha256())) {
                throw Lengths.wrongDigest(folder.address(file.path()), found, file);
            }
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + folder.resolve(file.path()), e), e);
        }
    }

    /**
     * Whether a file exists with the right length and digest; if so, adds the bytes that need no copy to the progress.
     */
    boolean isWhole(ArtifactFile file) {
        try {
            if (!Files.isRegularFile(folder.resolve(file.path()), LinkOption.NOFOLLOW_LINKS)
                    || Files.size(folder.resolve(file.path())) != file.bytes()) {
                return false;
            }
        } catch (IOException e) {
            return false;
        }
        try (FileChannel channel = folder.open(file.path())) {
            boolean whole = digest.sha256(channel).equals(file.sha256());
            progress.add(whole ? FileSync.workBytes(file) - file.bytes() : -file.bytes());
            return whole;
        } catch (IOException e) {
            return false;
        }
    }
}
