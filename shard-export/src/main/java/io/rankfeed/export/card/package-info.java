/**
 * The dataset card of an artifact, in the form that the Hugging Face hub shows.
 *
 * <p>Not here: anything that a program reads back; that is the manifest.
 */
@NullMarked
package io.rankfeed.export.card;

import org.jspecify.annotations.NullMarked;
