/**
 * The formats of foreign datasets: one {@link io.rankfeed.importing.index.ForeignDataset} each, with a strict parser of its files. Nothing
 * is allocated from a length before it was compared with the file, and what a file states is checked before it is used.
 *
 * <p>Not here: the types of an index ({@code index}), and the decoding of samples (gpu-feeder).
 */
@NullMarked
package io.rankfeed.importing.format;

import org.jspecify.annotations.NullMarked;
