/**
 * Chat templates of models. They turn messages into text, of which this package finds the parts that the assistant
 * wrote. Templates are Jinja and come with a model, so they are not trusted: they can use only strings, numbers, lists
 * and mappings, and have limits of time and size.
 *
 * <p>Not here: tokens ({@code tokenizer}), and the SQL functions ({@code spark.function}).
 *
 * <p>Step B of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.text.chat;

import org.jspecify.annotations.NullMarked;
