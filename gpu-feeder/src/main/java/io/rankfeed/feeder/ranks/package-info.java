/**
 * Finds the ranks of a node, from a user's list or from the environment of the job's launcher.
 *
 * <p>Not here: whether a version's lanes fit them.
 */
@NullMarked
package io.rankfeed.feeder.ranks;

import org.jspecify.annotations.NullMarked;
