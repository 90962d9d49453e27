/**
 * The Arrow IPC files of a cache: the bytes of a lane file, written in one pass.
 *
 * <p>Not here: which rows go into a file (the jobs) and how a file becomes visible ({@code commit}).
 */
@NullMarked
package io.rankfeed.export.lane;

import org.jspecify.annotations.NullMarked;
