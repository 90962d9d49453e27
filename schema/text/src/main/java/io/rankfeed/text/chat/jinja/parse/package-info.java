/**
 * Parses the text of a template into nodes: {@link io.rankfeed.text.chat.jinja.parse.Lexer} makes tokens,
 * {@link io.rankfeed.text.chat.jinja.parse.Parser} statements.
 *
 * <p>Not here: what nodes do ({@code node}).
 *
 * <p>Step B of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.text.chat.jinja.parse;

import org.jspecify.annotations.NullMarked;
