/**
 * The nodes of a template. Each evaluates itself in a {@link io.rankfeed.text.chat.jinja.node.Scope}.
 *
 * <p>Not here: how templates are written ({@code parse}).
 *
 * <p>Step B of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.text.chat.jinja.node;

import org.jspecify.annotations.NullMarked;
