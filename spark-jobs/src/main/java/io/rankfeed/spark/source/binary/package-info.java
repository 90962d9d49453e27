/** Folders of files that are one row each, such as images. */
@NullMarked
package io.rankfeed.spark.source.binary;

import org.jspecify.annotations.NullMarked;
