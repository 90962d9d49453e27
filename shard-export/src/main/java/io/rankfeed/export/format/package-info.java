/**
 * The interface of the writers of other formats (docs/format/other-formats.md), and what they share.
 *
 * <p>Not here: a format (its own package below this one), and which rows go into a file (the jobs).
 */
@NullMarked
package io.rankfeed.export.format;

import org.jspecify.annotations.NullMarked;
