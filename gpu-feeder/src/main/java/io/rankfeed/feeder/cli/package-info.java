/**
 * The commands of a training node as picocli sees them: flags, feed files, what is printed for users.
 *
 * <p>Not here: bytes of a cache and frames of a ring.
 */
@NullMarked
package io.rankfeed.feeder.cli;

import org.jspecify.annotations.NullMarked;
