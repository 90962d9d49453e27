/**
 * Formats that store columns or keys: Hugging Face's Arrow folders, LMDB, Megatron's token files, ENN's memory maps.
 *
 * <p>Not here: formats with one record per row ({@code format.record}), and the cache's own Arrow files ({@code lane}).
 */
@NullMarked
package io.rankfeed.export.format.store;

import org.jspecify.annotations.NullMarked;
