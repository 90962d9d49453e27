/**
 * The template language of chat templates: Jinja 3.1 as transformers sets it up ({@code trim_blocks}, {@code
 * lstrip_blocks}, loop controls, {@code generation}, the immutable sandbox). {@code parse} makes nodes of a template,
 * {@code node} evaluates them, {@code library} has filters, tests, functions and methods, {@code value} the values of
 * Python. Templates come with models and are not trusted: they reach no Java object, and what they compute and allocate
 * is limited.
 *
 * <p>Not here: conversations ({@code chat}). The package uses no other package of the module.
 *
 * <p>Step B of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.text.chat.jinja;

import org.jspecify.annotations.NullMarked;
