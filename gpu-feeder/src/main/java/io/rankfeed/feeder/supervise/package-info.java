/**
 * The parent process of a feeder and a training command: starts both, restarts a killed feeder, and ends with the
 * command without leaving processes or files. Knows processes and exit codes, no data.
 *
 * <p>Not here: what the feeder does while it runs.
 */
@NullMarked
package io.rankfeed.feeder.supervise;

import org.jspecify.annotations.NullMarked;
