package io.rankfeed.export.commit;

import io.rankfeed.schema.digest.Sha256;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.UUID;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A file of an artifact under a name that only this attempt of this task uses. {@link #publish} gives it its final
 * name; closing it without that leaves nothing behind.
 */
public final class StagedFile implements AutoCloseable {
    private final FileSystem fs;
    private final Path folder;
    private final String relativePath;
    private final Path staged;
    private final FSDataOutputStream file;
    private final Runnable refuseLost;
    private final MessageDigest digest = Sha256.digest();
    private final OutputStream stream;

    private StagedFile(
            FileSystem fs,
            Path folder,
            String relativePath,
            Path staged,
            FSDataOutputStream file,
            Runnable refuseLost) {
        this.fs = fs;
        this.folder = folder;
        this.relativePath = relativePath;
        this.staged = staged;
        this.file = file;
        this.refuseLost = refuseLost;
        this.stream = new DigestOutputStream(new NamedStream(file, new Path(folder, relativePath)), digest);
    }

    /** @param refuseLost asked before a file is begun and before it is put in place; throws if it must not be */
    static StagedFile create(
            FileSystem fs, Path folder, String relativePath, String attempt, long blockBytes, Runnable refuseLost) {
        refuseLost.run();
        Path target = new Path(folder, relativePath);
        Path staged = new Path(target.getParent(), "_" + attempt + "-" + UUID.randomUUID() + "-" + target.getName());
        try {
            long block = blockBytes > 0 ? blockBytes : fs.getDefaultBlockSize(staged);
            int buffer = 1 << 16;
            FSDataOutputStream out = fs.create(staged, true, buffer, fs.getDefaultReplication(staged), block);
            return new StagedFile(fs, folder, relativePath, staged, out, refuseLost);
        } catch (IOException e) {
            throw Storage.failed("create", staged, e);
        }
    }

    /** The stream to write to; its bytes are counted and hashed. */
    public OutputStream stream() {
        return stream;
    }

    /**
     * Ends the file and moves it to its final path. A file of the same bytes that exists already (a duplicate
     * attempt's) stays; one of other bytes (torn by a crash) is replaced.
     *
     * @param rows rows in it, or -1
     */
    public WrittenFile publish(long rows) {
        Path target = new Path(folder, relativePath);
        try {
            stream.flush();
            Storage.sync(file);
            long lengthBytes = file.getPos();
            stream.close();
            String sha256 = Sha256.hexOf(digest.digest());
            FaultPoints.reached("file.before-rename");
            refuseLost.run();
            renameTo(target, lengthBytes, sha256);
            FaultPoints.reached("file.after-rename");
            return new WrittenFile(relativePath, lengthBytes, sha256, rows);
        } catch (IOException e) {
            // Whoever took over has swept the file that was to be renamed.
            refuseLost.run();
            throw Storage.failed("write", target, e);
        }
    }

    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw Storage.failed("close", staged, e);
        } finally {
            removeStaged();
        }
    }

    /**
     * Renames the staged file to its final path. A valid file that exists is kept, because tasks that outlived their
     * driver come here, too, when the artifact may be complete.
     */
    private void renameTo(Path target, long lengthBytes, String sha256) throws IOException {
        Target state = targetState(target, lengthBytes, sha256);
        FaultPoints.reached("file.looked");
        if (state == Target.ABSENT && !Storage.renameNew(fs, staged, target)) {
            // A duplicate was first, or the answer was lost.
            state = targetState(target, lengthBytes, sha256);
            if (state == Target.ABSENT) {
                throw new IOException("the file system refused to rename " + staged);
            }
        }
        if (state == Target.OTHER) {
            Storage.renameOver(fs, staged, target);
        }
    }

    private void removeStaged() {
        try {
            fs.delete(staged, false);
        } catch (IOException e) {
            throw Storage.failed("remove", staged, e);
        }
    }

    /** The state of the final path, compared with the staged file. */
    private enum Target {
        ABSENT,
        SAME,
        OTHER
    }

    private Target targetState(Path target, long lengthBytes, String sha256) throws IOException {
        try {
            if (fs.getFileStatus(target).getLen() != lengthBytes) {
                return Target.OTHER;
            }
            try (InputStream in = fs.open(target)) {
                return Sha256.hex(in).equals(sha256) ? Target.SAME : Target.OTHER;
            }
        } catch (FileNotFoundException e) {
            return Target.ABSENT;
        }
    }
}
