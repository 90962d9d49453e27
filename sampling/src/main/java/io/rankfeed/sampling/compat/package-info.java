/**
 * Index lists of other projects, number for number: their random generator, their order of draws, their fill rules.
 * Projects that move to rankfeed use it; rankfeed's own plans do not.
 *
 * <p>Not here: rankfeed's own order ({@code order}).
 */
@NullMarked
package io.rankfeed.sampling.compat;

import org.jspecify.annotations.NullMarked;
