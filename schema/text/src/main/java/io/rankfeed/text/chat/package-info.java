/**
 * Chat templates of models: messages become text, and which parts of it are the assistant's. Templates are Jinja and come with a model,
 * so they are not trusted: they reach strings, numbers, lists and mappings alone, and have limits of time and size.
 *
 * <p>Not here: tokens ({@code function}).
 *
 * <p>Step B of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.text.chat;

import org.jspecify.annotations.NullMarked;
