package io.rankfeed.spark;

import java.util.Locale;

/** The last phase of a job. Each phase finds the artifact of the phase before it, or makes it. */
enum Goal {
    PREPARE,
    SAMPLE,
    EXPORT,
    PIPELINE;

    String command() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean samples() {
        return this != PREPARE;
    }

    boolean exports() {
        return this == EXPORT || this == PIPELINE;
    }
}
