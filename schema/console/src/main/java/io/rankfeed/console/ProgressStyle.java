package io.rankfeed.console;

import java.io.IOException;
import java.nio.file.Path;

/** The form in which progress is shown on stderr. */
public enum ProgressStyle {
    /** A bar on a terminal, lines elsewhere. */
    AUTO,
    PLAIN,
    NONE;

    /** Whether a bar is redrawn in place. */
    public boolean isBar() {
        return this == AUTO && stderrIsTerminal();
    }

    /** System.console describes stdin and stdout, and has another meaning from JDK 22 on. */
    private static boolean stderrIsTerminal() {
        try {
            String target = Path.of("/proc/self/fd/2").toRealPath().toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException e) {
            return false;
        }
    }
}
