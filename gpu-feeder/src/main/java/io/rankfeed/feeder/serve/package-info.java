/**
 * The feeder's side of the socket protocol (docs/format/ring.md): rendezvous, one socket per rank, one session per
 * trainer and feed. What is served comes through {@link io.rankfeed.feeder.serve.admission.Catalog}; how a batch is made is not
 * known here.
 *
 * <p>Not here: frames ({@code protocol}), connections ({@code session}), claims and memory ({@code admission}).
 *
 * <p>Step G of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.serve;

import org.jspecify.annotations.NullMarked;
