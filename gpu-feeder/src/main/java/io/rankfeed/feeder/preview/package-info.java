/**
 * Sheets of one batch for a person to look at: tokens with what becomes of them in training, and images next to those that they were
 * made of.
 *
 * <p>Not here: the command and which rows are shown ({@code cli}).
 */
@NullMarked
package io.rankfeed.feeder.preview;

import org.jspecify.annotations.NullMarked;
