/**
 * Index lists of other projects, number for number: their random generator, their order of draws, their fill rules. For
 * moving in; a plan of our own needs none of it.
 */
@NullMarked
package io.rankfeed.sampling.compat;

import org.jspecify.annotations.NullMarked;
