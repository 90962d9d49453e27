package io.rankfeed.text.tokenizer;

/** Whether the tokens that a tokenizer's post-processor adds are wanted. */
public enum SpecialTokens {
    ADDED,
    LEFT_OUT
}
