/**
 * What a feed needs of a machine: facts about it, and what is wrong with them.
 *
 * <p>Not here: the limits that a feeder checks for its own version before it serves ({@code serve.admission}).
 */
@NullMarked
package io.rankfeed.feeder.machine;

import org.jspecify.annotations.NullMarked;
