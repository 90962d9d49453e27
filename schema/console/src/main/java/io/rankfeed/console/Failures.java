package io.rankfeed.console;

import java.util.List;

/** Finds the failures that a user can act on behind an exception. */
@FunctionalInterface
public interface Failures {
    /** The exception itself. */
    Failures AS_THROWN = List::of;

    /** Returns the failures behind an exception, at least one; the first decides the exit code. */
    List<? extends Throwable> of(Throwable thrown);
}
