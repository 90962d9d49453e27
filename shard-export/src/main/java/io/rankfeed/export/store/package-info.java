/**
 * Hadoop's file systems as a store that tables and artifacts are read from.
 *
 * <p>Not here: writing ({@code commit}), and what is in the files.
 */
@NullMarked
package io.rankfeed.export.store;

import org.jspecify.annotations.NullMarked;
