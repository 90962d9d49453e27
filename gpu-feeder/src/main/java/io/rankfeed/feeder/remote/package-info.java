/**
 * Where versions are: a folder of this node, the run that made one, or a store that is not mounted here. What a store must do is here;
 * the stores themselves come as optional jars, and no class of theirs is named.
 *
 * <p>Not here: clients of a store; they are on an optional class path.
 */
@NullMarked
package io.rankfeed.feeder.remote;

import org.jspecify.annotations.NullMarked;
