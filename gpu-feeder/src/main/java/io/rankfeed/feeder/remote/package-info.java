/**
 * Versions in stores that are not mounted here: what such a store must do, and how it is found. The stores themselves
 * come as optional jars; no class of theirs is named here.
 *
 * <p>Not here: clients of a store; they are on an optional class path.
 */
@NullMarked
package io.rankfeed.feeder.remote;

import org.jspecify.annotations.NullMarked;
