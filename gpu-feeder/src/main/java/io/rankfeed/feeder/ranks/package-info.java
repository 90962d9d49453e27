/**
 * Which ranks a node has: as a user writes them, and as the launcher of a job gives them.
 *
 * <p>Not here: whether a version's lanes fit them.
 */
@NullMarked
package io.rankfeed.feeder.ranks;

import org.jspecify.annotations.NullMarked;
