/**
 * The files of a version over a dataset: its lanes, and the list of the files that they refer to. Equal files and lists give equal bytes.
 *
 * <p>Not here: which rows they have ({@code select}), and how a version becomes visible.
 */
@NullMarked
package io.rankfeed.importing.write;

import org.jspecify.annotations.NullMarked;
