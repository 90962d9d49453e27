/**
 * Hugging Face's tokenizers, which are native code. On some corrupted files this code ends the process, so every file
 * is first opened in a child process.
 *
 * <p>Not here: which files a job names, and the SQL functions that use them ({@code spark.function}).
 */
@NullMarked
package io.rankfeed.text.tokenizer;

import org.jspecify.annotations.NullMarked;
