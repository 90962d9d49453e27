/**
 * One trainer's connection from its first frame to its end: the ring filled in the order of the feed, slots returned,
 * stop requests.
 *
 * <p>Not here: how a batch is assembled ({@code batch}).
 */
@NullMarked
package io.rankfeed.feeder.serve.session;

import org.jspecify.annotations.NullMarked;
