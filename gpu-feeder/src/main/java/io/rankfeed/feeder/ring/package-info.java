/**
 * The shared-memory segment of a ring (docs/format/ring.md, sections 4 to 6): its name, its bytes, its creation and its
 * end. Knows no socket, no order and no cache. {@code RingSegment} is the only class that touches shared memory.
 *
 * <p>Not here: who may connect and what is sent ({@code serve}).
 *
 * <p>Step G of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.ring;

import org.jspecify.annotations.NullMarked;
