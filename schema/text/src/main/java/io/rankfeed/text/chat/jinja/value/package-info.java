/**
 * The values of templates: texts that know where their characters came from, numbers, lists, mappings, and what Python's operators do
 * with them, within a {@link io.rankfeed.text.chat.jinja.value.Budget}.
 *
 * <p>Not here: what a template is made of ({@code node}) and what it can call by a name ({@code library}).
 *
 * <p>Step B of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.text.chat.jinja.value;

import org.jspecify.annotations.NullMarked;
