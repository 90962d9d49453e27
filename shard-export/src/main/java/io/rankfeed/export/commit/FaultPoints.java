package io.rankfeed.export.commit;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Named points of the code at which a test may have the JVM killed: the system property {@code rankfeed.fault} or the environment
 * variable {@code RANKFEED_FAULT} holds {@code NAME} (always) or {@code NAME@FILE} (once: only the JVM that can create
 * FILE dies). Without them a point costs one comparison.
 */
public final class FaultPoints {
    private static final int KILLED = 137;
    private static final @Nullable String WANTED = wanted();

    private static volatile @Nullable Consumer<String> watcher;

    private FaultPoints() {}

    /** Lets a test of this package receive each point that this JVM reaches; null ends it. */
    public static void watch(@Nullable Consumer<String> each) {
        watcher = each;
    }

    /** Halts the JVM, without hooks as {@code kill -9} would, if this is the point that was asked for. */
    public static void reached(String name) {
        Consumer<String> reported = watcher;
        if (reported != null) {
            reported.accept(name);
        }
        if (WANTED == null) {
            return;
        }
        int at = WANTED.indexOf('@');
        if (at < 0 ? WANTED.equals(name) : WANTED.substring(0, at).equals(name) && first(WANTED.substring(at + 1))) {
            Runtime.getRuntime().halt(KILLED);
        }
    }

    private static boolean first(String file) {
        try {
            Files.createFile(Path.of(file));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (IOException e) {
            throw new IllegalStateException("cannot create the marker of a fault point: " + file, e);
        }
    }

    private static @Nullable String wanted() {
        String property = System.getProperty("rankfeed.fault");
        return property != null ? property : System.getenv("RANKFEED_FAULT");
    }
}
