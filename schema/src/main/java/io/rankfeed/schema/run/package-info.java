/**
 * Names of runs, and of the versions that runs committed: what both the jobs and the feeder parse.
 *
 * <p>Not here: the writing of commits and run facts (the jobs), and access to a file system ({@code store}).
 */
@NullMarked
package io.rankfeed.schema.run;

import org.jspecify.annotations.NullMarked;
