/**
 * The dataset card of an artifact: a README.md in the form of Hugging Face's hub, made from the manifest and the order
 * alone, so that its bytes are as repeatable as theirs. Reads nothing.
 */
@NullMarked
package io.rankfeed.spark.card;

import org.jspecify.annotations.NullMarked;
