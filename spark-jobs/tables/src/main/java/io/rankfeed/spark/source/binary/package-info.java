/**
 * Folders of files that are one row each, such as images.
 *
 * <p>Not here: decoding of their content.
 */
@NullMarked
package io.rankfeed.spark.source.binary;

import org.jspecify.annotations.NullMarked;
