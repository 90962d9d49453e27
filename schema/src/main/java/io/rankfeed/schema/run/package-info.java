/**
 * Facts of runs that readers of artifacts need.
 *
 * <p>Not here: how runs are written (the jobs), or which file system they are in.
 */
@NullMarked
package io.rankfeed.schema.run;

import org.jspecify.annotations.NullMarked;
