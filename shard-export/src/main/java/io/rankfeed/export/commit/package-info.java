/**
 * Artifacts appear whole or not at all: an attempt's folder, the claim of its writer, files that are written aside and
 * moved into place, and the storage below them.
 *
 * <p>Not here: what is in the files.
 */
@NullMarked
package io.rankfeed.export.commit;

import org.jspecify.annotations.NullMarked;
