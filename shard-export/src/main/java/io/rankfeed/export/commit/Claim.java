package io.rankfeed.export.commit;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.RankfeedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * The right to write into a folder, held by one job at a time: a file {@code _claim-NNNNN} in it, made only if it was
 * not there (docs/format/manifest.md, section 1). The holder writes it again every few seconds.
 *
 * <p>A claim is dead if its process is gone, where that can be seen; else if it does not change for {@link
 * Rhythm#lapse} while another job looks at it. No clocks are compared. Whoever finds a dead claim makes the one of the
 * next number, which again only one can; a holder that was merely asleep finds its claim gone.
 */
public final class Claim implements AutoCloseable {
    private static final String PREFIX = "_claim-";
    private static final int MAX_BYTES = 1 << 16;
    private static final int MAX_TRIES = 100;
    /** The hook's priority; Hadoop closes its file systems later (priority 10). */
    private static final int HOOK_PRIORITY = 20;

    /**
     * @param beat how often a holder writes its claim again
     * @param lapse how long another job looks at a claim that does not change before it takes over
     */
    record Rhythm(Duration beat, Duration lapse) {
        static final Rhythm DEFAULT = new Rhythm(Duration.ofSeconds(5), Duration.ofSeconds(60));
    }

    private final FileSystem fs;
    private final Path file;
    private final Owner owner;
    private final Runnable hook = this::release;
    private final ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "rankfeed-claim");
        thread.setDaemon(true);
        return thread;
    });
    private long beats;

    private Claim(FileSystem fs, Path file, Owner owner, Rhythm rhythm) {
        this.fs = fs;
        this.file = file;
        this.owner = owner;
        // Its future would hold nothing: a beat swallows what it may fail of.
        Future<?> unused = heart.scheduleAtFixedRate(
                this::beat, rhythm.beat().toNanos(), rhythm.beat().toNanos(), TimeUnit.NANOSECONDS);
        ShutdownHookManager.get().addShutdownHook(hook, HOOK_PRIORITY);
    }

    /**
     * Takes the right to write into a folder, which is made if it is not there.
     *
     * @throws EnvironmentException if a job that lives has it
     */
    public static Claim take(FileSystem fs, Path folder, String application) {
        return take(fs, folder, Owner.self(application), Rhythm.DEFAULT);
    }

    static Claim take(FileSystem fs, Path folder, Owner owner, Rhythm rhythm) {
        try {
            for (int tries = 1; ; tries++) {
                try {
                    Optional<Claim> claim = tried(fs, folder, owner, rhythm);
                    if (claim.isPresent()) {
                        return claim.get();
                    }
                } catch (FileNotFoundException e) {
                    // Another job gave its claim back, and removed the folder that was empty then.
                    if (tries == MAX_TRIES) {
                        throw e;
                    }
                }
            }
        } catch (IOException e) {
            throw Storage.failed("claim", folder, e);
        }
    }

    /** Tries to take the claim; empty if another job was quicker. */
    private static Optional<Claim> tried(FileSystem fs, Path folder, Owner owner, Rhythm rhythm) throws IOException {
        fs.mkdirs(folder);
        List<Path> before = claims(fs, folder);
        for (Path other : before) {
            refuseLiving(fs, other, rhythm);
        }
        int number = before.isEmpty() ? 1 : number(before.get(before.size() - 1)) + 1;
        Path file = new Path(folder, String.format(Locale.ROOT, "%s%05d", PREFIX, number));
        if (!Storage.createNew(fs, file, owner.toBytes(0))) {
            return Optional.empty();
        }
        for (Path dead : before) {
            fs.delete(dead, false);
        }
        Claim claim = new Claim(fs, file, owner, rhythm);
        if (claims(fs, folder).equals(List.of(file))) {
            return Optional.of(claim);
        }
        // Others let go and began again between the two looks: theirs is as good as this one.
        claim.close();
        return Optional.empty();
    }

    /** Whether a file is a claim by its name. */
    public static boolean isClaim(Path file) {
        return file.getName().startsWith(PREFIX);
    }

    Path file() {
        return file;
    }

    /** @throws EnvironmentException if another job took over */
    synchronized void refuseLost() {
        try {
            if (!isWritten() || !isLast(fs, file)) {
                throw lost(file);
            }
        } catch (IOException e) {
            throw Storage.failed("look at", file, e);
        }
    }

    /**
     * Checks the claim in a task, which may outlive its driver, and has only the file's name.
     *
     * @throws EnvironmentException if the claim was given back, or another job took over
     */
    static void refuseLost(FileSystem fs, Path file) {
        try {
            if (!isLast(fs, file)) {
                throw lost(file);
            }
        } catch (IOException e) {
            throw Storage.failed("look at", file, e);
        }
    }

    /** A holder that fell asleep within a beat may bring its file back; the one of the higher number holds then. */
    private static boolean isLast(FileSystem fs, Path file) throws IOException {
        List<Path> claims = claims(fs, file.getParent());
        return !claims.isEmpty() && claims.get(claims.size() - 1).getName().equals(file.getName());
    }

    /**
     * Whether the claim's file is complete and names this owner. Only the writer of the claim may call it, because
     * other jobs may read the file while it is incomplete.
     */
    private boolean isWritten() {
        return Storage.read(fs, file, MAX_BYTES)
                .filter(bytes -> Owner.parse(bytes).equals(owner))
                .isPresent();
    }

    private static EnvironmentException lost(Path file) {
        return new EnvironmentException("this job was suspended so long that another job took over " + file.getParent()
                + "; wait for that job, or run this one again");
    }

    /** Gives the right back; a folder that holds nothing else goes, too. */
    @Override
    public void close() {
        release();
        if (!ShutdownHookManager.get().isShutdownInProgress()) {
            ShutdownHookManager.get().removeShutdownHook(hook);
        }
    }

    private synchronized void release() {
        heart.shutdownNow();
        try {
            if (isWritten()) {
                fs.delete(file, false);
                Storage.removeIfEmpty(fs, file.getParent());
            }
        } catch (IOException | RankfeedException e) {
            // It lapses, then.
        }
    }

    synchronized void beat() {
        try {
            // One that is gone or another's was taken over, and must not come back.
            if (!heart.isShutdown() && isWritten() && isLast(fs, file)) {
                Storage.overwrite(fs, file, owner.toBytes(++beats));
            }
        } catch (IOException | RankfeedException e) {
            // The next beat tries again; before the commit it is read whether the claim still is.
        }
    }

    private static void refuseLiving(FileSystem fs, Path file, Rhythm rhythm) {
        Optional<byte[]> first = Storage.read(fs, file, MAX_BYTES);
        Optional<byte[]> now = first;
        long began = System.nanoTime();
        while (now.isPresent()) {
            Owner owner = Owner.parse(now.get());
            if (owner.isNear() && !owner.runs()) {
                return;
            }
            boolean over = System.nanoTime() - began >= rhythm.lapse().toNanos();
            boolean changed = !Arrays.equals(now.get(), first.orElseThrow());
            // One that was met half written lives, and says soon who it is.
            if (owner.isNear() || (changed && (owner.isKnown() || over))) {
                throw new EnvironmentException("another job (" + owner + ") is writing " + file.getParent()
                        + "; wait for it to end and run this again, which then finds the artifact. The claim of a job"
                        + " that died expires within " + rhythm.lapse().toSeconds() + " s");
            }
            if (over) {
                return;
            }
            pause(rhythm);
            now = Storage.read(fs, file, MAX_BYTES);
        }
    }

    private static void pause(Rhythm rhythm) {
        try {
            TimeUnit.NANOSECONDS.sleep(rhythm.beat().toNanos() / 4);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while waiting for another job", e);
        }
    }

    private static List<Path> claims(FileSystem fs, Path folder) throws IOException {
        return Stream.of(fs.listStatus(folder, Claim::isClaim))
                .map(status -> new Path(folder, status.getPath().getName()))
                .sorted(Comparator.comparingInt(Claim::number))
                .toList();
    }

    /** A name that says no number sorts first. */
    private static int number(Path file) {
        String digits = file.getName().substring(PREFIX.length());
        return digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : 0;
    }
}
