package io.rankfeed.spark.function;

/** Whether the tokens that a tokenizer's post-processor adds are wanted. */
enum SpecialTokens {
    ADDED,
    LEFT_OUT
}
