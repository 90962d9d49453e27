/**
 * Contact sheets: the images of a batch next to those that they were made of, for a person to look at.
 *
 * <p>Not here: the command and which rows are shown ({@code cli}).
 */
@NullMarked
package io.rankfeed.feeder.preview;

import org.jspecify.annotations.NullMarked;
