/**
 * Atomic commits of artifacts: an attempt's folder, the claim of its writer, files that are written to a temporary path
 * and renamed, and access to the file system.
 *
 * <p>Not here: what is in the files.
 */
@NullMarked
package io.rankfeed.export.commit;

import org.jspecify.annotations.NullMarked;
