/**
 * Words for text that job files, chat templates and reports share.
 *
 * <p>Not here: the templates and tokenizers themselves (module {@code text}).
 */
@NullMarked
package io.rankfeed.schema.text;

import org.jspecify.annotations.NullMarked;
