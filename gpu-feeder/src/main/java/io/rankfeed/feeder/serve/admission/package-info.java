/**
 * Decides which clients may connect, to which feed, with how much memory: the claim of a run on this node, the feeds
 * and their facts, ring segments and their budget.
 *
 * <p>Not here: a connection's frames ({@code protocol}) and its life ({@code session}).
 */
@NullMarked
package io.rankfeed.feeder.serve.admission;

import org.jspecify.annotations.NullMarked;
