/**
 * The command line that the Spark jobs and the feeder share: help layout, exit codes, messages without secrets, and progress.
 * Commands and their options belong in the modules that run them.
 *
 * <p>Not here: commands.
 */
@NullMarked
package io.rankfeed.console;

import org.jspecify.annotations.NullMarked;
