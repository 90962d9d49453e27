/**
 * What trainers and feeder say to each other: frames, messages, error codes.
 *
 * <p>Not here: what is answered ({@code session}) and who may connect ({@code admission}). Normative: docs/format/ring.md.
 */
@NullMarked
package io.rankfeed.feeder.serve.protocol;

import org.jspecify.annotations.NullMarked;
