package io.rankfeed.importing.write;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Named points of an import, each after or before a change of the root, at which a test may look at what a kill would leave. */
public final class WritePoints {
    private static volatile @Nullable Consumer<String> watcher;

    private WritePoints() {}

    /** Lets a test receive each point that this JVM reaches; null ends it. */
    public static void watch(@Nullable Consumer<String> each) {
        watcher = each;
    }

    /** Reports a point. */
    public static void reached(String name) {
        Consumer<String> reported = watcher;
        if (reported != null) {
            reported.accept(name);
        }
    }
}
