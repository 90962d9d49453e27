/**
 * Environments of LMDB: an entry of the main database is a row of a key and a value.
 *
 * <p>Not here: the environments that {@code export.formats} writes ({@code io.rankfeed.export.format.store}).
 */
@NullMarked
package io.rankfeed.spark.source.format.lmdb;

import org.jspecify.annotations.NullMarked;
