/**
 * Resolves versions: a folder of this node, the run that wrote one, or a store that is not mounted here. The interface
 * of a store is here; the stores themselves are optional jars, and no class of them is named.
 *
 * <p>Not here: clients of a store; they are on an optional class path.
 */
@NullMarked
package io.rankfeed.feeder.remote;

import org.jspecify.annotations.NullMarked;
