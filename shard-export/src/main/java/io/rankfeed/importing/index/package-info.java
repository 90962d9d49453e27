/**
 * The index of a dataset that another program wrote: its files in parts, where the values of each sample are in them, and which samples are
 * damaged. Files are opened below one root, and through no symbolic link.
 *
 * <p>Not here: the formats ({@code format}), and the version that is made of an index (docs/adr/0012-import.md).
 */
@NullMarked
package io.rankfeed.importing.index;

import org.jspecify.annotations.NullMarked;
