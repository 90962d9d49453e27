/**
 * The commands of a training node as picocli sees them: flags, feed files, what is printed for users. No byte of a cache and
 * no frame of a ring is touched here.
 */
@NullMarked
package io.rankfeed.feeder.cli;

import org.jspecify.annotations.NullMarked;
