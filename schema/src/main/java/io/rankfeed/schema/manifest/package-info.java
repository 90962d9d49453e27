/**
 * The manifest of an artifact: its files, its inputs and its content (docs/format/manifest.md). It is parsed whole and
 * checked before a file that it lists is opened.
 *
 * <p>Not here: files; callers read and write them.
 */
@NullMarked
package io.rankfeed.schema.manifest;

import org.jspecify.annotations.NullMarked;
