/**
 * The frames, messages and error codes between trainers and feeder, and the buffers and deadlines of a connection.
 *
 * <p>Not here: what is answered ({@code session}) and who may connect ({@code admission}). Normative: docs/format/ring.md.
 */
@NullMarked
package io.rankfeed.feeder.serve.protocol;

import org.jspecify.annotations.NullMarked;
