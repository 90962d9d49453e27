/**
 * Makes what a language model is trained with from the token ids of one row: truncation, end-of-sequence token, labels,
 * positions, masked tokens. Arithmetic over arrays (docs/text.md).
 *
 * <p>Not here: where the tokens of a row are, and where its tensors go ({@code batch}); which tensors a slot has ({@code tensor}).
 *
 * <p>Step F of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.text;

import org.jspecify.annotations.NullMarked;
