package io.rankfeed.export.commit;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.Manifest;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to write an artifact's folder. It is serialized to the tasks, which write its files through {@link
 * #stage}; the driver makes the whole of it within {@link #made} and ends it with {@link #commit}.
 *
 * <p>One job at a time writes a folder: it holds the folder's {@link Claim}. Every file's bytes follow from the
 * artifact's id, and each task writes under a name of its own first and renames, so tasks that meet (a retried one, one
 * of a job that lost its claim) do no harm. The manifest comes last and decides; whoever finds it there has nothing left
 * to do.
 */
public final class ArtifactAttempt implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final String ATTEMPT = "_attempt-";

    private final String folder;
    private final String attempt = "attempt-" + UUID.randomUUID();
    private final String application;
    private final TaskConfiguration conf;
    /** The file of the claim, for the tasks; the claim itself stays on the driver. */
    private @Nullable String claimFile;

    private transient @Nullable Claim claim;

    /** @param application Spark's id, for the message to a concurrent job */
    public ArtifactAttempt(Path folder, Configuration conf, String application) {
        this.folder = folder.toString();
        this.application = application;
        this.conf = new TaskConfiguration(conf);
    }

    public Path path() {
        return new Path(folder);
    }

    private JsonLimits limits() {
        return JsonLimits.ofManifestBelow(path().getParent().getName());
    }

    /** The manifest's bytes, if the artifact is complete. */
    public Optional<byte[]> manifest() {
        return Storage.read(fs(), new Path(path(), Manifest.FILE_NAME), limits().maxBytes());
    }

    /**
     * Gives the artifact that is there; else makes it under a claim, unless another job completes it first.
     *
     * @param make writes the files and commits
     * @param committed the artifact, if it is complete
     * @throws EnvironmentException if another job that lives is making it
     */
    public <T> T made(Supplier<T> make, Supplier<Optional<T>> committed) {
        Optional<T> there = committed.get();
        if (there.isPresent()) {
            tidy();
            return there.get();
        }
        try (Claim taken = Claim.take(fs(), path(), application)) {
            claim = taken;
            claimFile = taken.file().toString();
            Optional<T> existing = committed.get();
            return existing.isPresent() ? existing.get() : madeHere(make);
        }
    }

    private <T> T madeHere(Supplier<T> make) {
        sweep(file -> file.getName().startsWith(ATTEMPT));
        try {
            return make.get();
        } catch (Exception e) {
            // Scala throws checked exceptions without declaring them.
            try {
                sweep(file -> file.getName().startsWith("_" + attempt));
            } catch (EnvironmentException unswept) {
                e.addSuppressed(unswept);
            }
            throw e;
        }
    }

    /** Removes what killed jobs left next to a complete artifact's files; as far as this user may. */
    private void tidy() {
        try {
            sweep(file -> file.getName().startsWith(ATTEMPT) || Claim.isClaim(file));
        } catch (EnvironmentException e) {
            // No reader can mistake such files, and a read-only root is fit to be read.
        }
    }

    /**
     * A file of this artifact to be written, in a task or on the driver.
     *
     * @param relativePath its final path below the folder, as docs/format/manifest.md section 5 allows
     */
    public StagedFile stage(String relativePath) {
        return stage(relativePath, 0);
    }

    /** Stages a file with an explicit block size, for file systems that have blocks; 0 is their default. */
    public StagedFile stage(String relativePath, long blockBytes) {
        return StagedFile.create(fs(), path(), relativePath, attempt, blockBytes, this::refuseLost);
    }

    /** Writes a small file of this artifact, one without rows. */
    public WrittenFile write(String relativePath, byte[] bytes) {
        try (StagedFile staged = stage(relativePath)) {
            staged.stream().write(bytes);
            return staged.publish(-1);
        } catch (IOException e) {
            throw Storage.failed("write", new Path(path(), relativePath), e);
        }
    }

    /**
     * A file that only this attempt knows and no artifact keeps; {@link #commit} removes it.
     *
     * @param name to open it again with {@link #openScratch}
     */
    public record Scratch(String name, OutputStream stream) {}

    /** A new scratch file; the name given back is unique even where a task is tried twice. */
    public Scratch scratch(String name) throws IOException {
        String unique = "_" + attempt + "-" + UUID.randomUUID() + "-" + name;
        Path file = new Path(path(), unique);
        return new Scratch(unique, new NamedStream(fs().create(file, true), file));
    }

    /** Opens a scratch file, which any task of the attempt may have written. */
    public FSDataInputStream openScratch(String name) throws IOException {
        return fs().open(new Path(path(), name));
    }

    /**
     * Makes the artifact complete: checks that every listed file is there in full, removes what is not listed, then
     * puts the manifest in place. If another attempt was first, its manifest is.
     *
     * @param files every file but the manifest
     * @param manifest the manifest's bytes
     * @throws ConfigException if no reader would take a manifest of that length
     * @throws EnvironmentException if a file is missing or short, or the file system fails
     */
    public void commit(List<WrittenFile> files, byte[] manifest) {
        try {
            StrictJson.parse(manifest, "the manifest of " + path(), limits());
        } catch (CorruptDataException e) {
            throw new ConfigException(
                    e.getMessage() + ", as any reader would find, for " + files.size()
                            + " files; write fewer with a larger prepare.block or export.shard-rows",
                    e);
        }
        FileSystem fs = fs();
        Path target = new Path(path(), Manifest.FILE_NAME);
        try {
            refuseLost();
            refuseOthers(fs, files);
            FaultPoints.reached("commit.before-manifest");
            Path staged = new Path(path(), "_" + attempt + "-" + Manifest.FILE_NAME);
            try (FSDataOutputStream out = fs.create(staged, true)) {
                out.write(manifest);
                Storage.sync(out);
            }
            FaultPoints.reached("commit.before-rename");
            Objects.requireNonNull(claim).refuseLost();
            if (fs.exists(target) || !Storage.renameNew(fs, staged, target)) {
                // Another's manifest, or ours of whose rename no answer came. Where there is one, whatever else stays
                // is waste.
                removeWaste(fs, staged);
            }
            FaultPoints.reached("commit.after-rename");
        } catch (IOException e) {
            throw Storage.failed("commit", path(), e);
        }
    }

    private static void removeWaste(FileSystem fs, Path file) {
        try {
            fs.delete(file, false);
        } catch (IOException e) {
            // No reader can mistake it, and the next job that comes here tries again.
        }
    }

    private void sweep(Predicate<Path> waste) {
        FileSystem fs = fs();
        try {
            for (LocatedFileStatus status : files(fs)) {
                if (waste.test(status.getPath())) {
                    fs.delete(status.getPath(), false);
                }
            }
        } catch (IOException e) {
            throw Storage.failed("clean", path(), e);
        }
    }

    /** Refuses to publish a file without the claim. */
    private void refuseLost() {
        Claim.refuseLost(fs(), new Path(Objects.requireNonNull(claimFile, "made() comes first")));
    }

    /** Checks that every listed file is there in full, and removes what is not listed. */
    private void refuseOthers(FileSystem fs, List<WrittenFile> files) throws IOException {
        Map<String, Long> lengths = new HashMap<>();
        files.forEach(file -> lengths.put(new Path(path(), file.path()).toUri().getPath(), file.lengthBytes()));
        for (LocatedFileStatus status : files(fs)) {
            Path file = status.getPath();
            Long length = lengths.remove(file.toUri().getPath());
            if (length == null) {
                if (!Claim.isClaim(file)) {
                    fs.delete(file, false);
                }
            } else if (length != status.getLen()) {
                throw new EnvironmentException(file + " has " + status.getLen() + " bytes where " + length
                        + " were written; check the disk and run the job again");
            }
        }
        if (!lengths.isEmpty()) {
            throw new EnvironmentException(lengths.keySet().iterator().next()
                    + " was written and is gone; another process cleans this folder: run the job again");
        }
    }

    private List<LocatedFileStatus> files(FileSystem fs) throws IOException {
        List<LocatedFileStatus> files = new ArrayList<>();
        FileStatus[] top = fs.exists(path()) ? fs.listStatus(path()) : new FileStatus[0];
        if (top.length > 0) {
            RemoteIterator<LocatedFileStatus> all = fs.listFiles(path(), true);
            while (all.hasNext()) {
                LocatedFileStatus status = all.next();
                if (!status.getPath().getName().equals(Manifest.FILE_NAME)) {
                    files.add(status);
                }
            }
        }
        return files;
    }

    private FileSystem fs() {
        return Storage.of(path(), conf.value());
    }
}
