/**
 * Petastorm's format, both ways: a Unischema out of the pickle in {@code _common_metadata}, its codecs' bytes as packed
 * tensors, and the same for tables that we prepare (docs/format/petastorm.md). Nothing of a pickle is executed, looked
 * up or constructed: it is read into inert nodes. Which files a source has, and how a table is written, is not known
 * here.
 */
@NullMarked
package io.rankfeed.spark.petastorm;

import org.jspecify.annotations.NullMarked;
