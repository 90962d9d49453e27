/**
 * The quickstart: runs the commands of jobs and feeder one after the other, as a user would. Whatever another command needs does not
 * belong here.
 *
 * <p>Not here: anything that the jobs or the feeder need; the quickstart only calls them.
 */
@NullMarked
package io.rankfeed.feeder.quickstart;

import org.jspecify.annotations.NullMarked;
