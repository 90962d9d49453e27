/**
 * Formats that store one record per row, value after value: WebDataset, MDS, TFRecord, files of images.
 *
 * <p>Not here: formats with columns or keys of their own ({@code format.store}).
 */
@NullMarked
package io.rankfeed.export.format.record;

import org.jspecify.annotations.NullMarked;
