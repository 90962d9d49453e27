/**
 * Index lists of other projects, number for number: their random generator, their order of draws, their fill rules. For
 * moving in; a plan of our own needs none of it.
 *
 * <p>Not here: rankfeed's own order ({@code order}).
 */
@NullMarked
package io.rankfeed.sampling.compat;

import org.jspecify.annotations.NullMarked;
