package io.rankfeed.spark;

import java.util.Locale;

/** How far a job goes. Each phase finds what the phases before it made, or makes it. */
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
