/**
 * A feeder and a training command run as one: the parent process that starts both, brings a killed feeder back, and ends
 * with the command, leaving no process and no file. Knows processes and exit codes, no data.
 *
 * <p>Not here: what the feeder does while it runs.
 */
@NullMarked
package io.rankfeed.feeder.supervise;

import org.jspecify.annotations.NullMarked;
