/**
 * The feeder's side of the socket protocol (docs/format/ring.md): rendezvous, one socket per rank, one session per
 * trainer and feed. Sessions get batches through {@link io.rankfeed.feeder.serve.admission.Catalog}; {@code
 * VersionCatalog} implements it over a version, whose lanes {@code LaneScrub} checks in the background.
 *
 * <p>Not here: frames ({@code protocol}), connections ({@code session}), claims and memory ({@code admission}).
 *
 * <p>Step G of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.serve;

import org.jspecify.annotations.NullMarked;
