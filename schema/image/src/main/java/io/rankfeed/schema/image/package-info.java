/**
 * The decoding contract of images (docs/functions.md): what the header of a file says, which pixels a file has, and other sizes of
 * them, with the decoders of Java. Jobs decode by it; other decoders are compared with it.
 *
 * <p>Not here: Spark's columns, and decoders that need native code.
 */
@NullMarked
package io.rankfeed.schema.image;

import org.jspecify.annotations.NullMarked;
