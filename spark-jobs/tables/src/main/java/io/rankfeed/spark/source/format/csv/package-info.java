/**
 * CSV as RFC 4180 has it: quoted values may have delimiters, quotes and line ends; an empty value without quotes is null.
 *
 * <p>Not here: files, folders and addresses (the package above).
 */
@NullMarked
package io.rankfeed.spark.source.format.csv;

import org.jspecify.annotations.NullMarked;
