/**
 * The members of tar files, and how WebDataset divides them into samples. Nothing is allocated from a length before it was compared with
 * the file.
 *
 * <p>Not here: the values of samples ({@code importing.format}, and the sources of jobs).
 */
@NullMarked
package io.rankfeed.importing.tar;

import org.jspecify.annotations.NullMarked;
