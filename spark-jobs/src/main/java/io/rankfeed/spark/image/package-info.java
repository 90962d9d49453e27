/**
 * PNG and JPEG files: what their headers say, their pixels, other sizes of them. The decoders are those of Java; nothing is
 * allocated for an image before its header was read.
 *
 * <p>Not here: Spark's columns ({@code function}).
 */
@NullMarked
package io.rankfeed.spark.image;

import org.jspecify.annotations.NullMarked;
