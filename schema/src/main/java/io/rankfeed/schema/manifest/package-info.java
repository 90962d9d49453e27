/**
 * The manifest of an artifact: what files it has, what it was made from, what it means (docs/format/manifest.md). It is
 * parsed whole and checked before anybody opens a file that it lists. Who commits an artifact, and how, is not decided
 * here.
 *
 * <p>Not here: files; callers read and write them.
 */
@NullMarked
package io.rankfeed.schema.manifest;

import org.jspecify.annotations.NullMarked;
