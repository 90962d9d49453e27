/**
 * The command {@code rankfeed import}: a version over an existing dataset, its default order and its commit.
 *
 * <p>Not here: the formats, the index of samples and the files of the version ({@code io.rankfeed.importing}).
 */
@NullMarked
package io.rankfeed.feeder.importing;

import org.jspecify.annotations.NullMarked;
