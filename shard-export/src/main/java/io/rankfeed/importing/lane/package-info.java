/**
 * Rows of an index as rows of lanes: the fields that a lane has in place of those of a sample, and their values or references
 * (docs/adr/0012-import.md).
 *
 * <p>Not here: which rows a lane has, and the files of a version.
 */
@NullMarked
package io.rankfeed.importing.lane;

import org.jspecify.annotations.NullMarked;
