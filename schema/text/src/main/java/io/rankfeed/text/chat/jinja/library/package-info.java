/**
 * The names that templates can use: filters, tests, functions, and the attributes and methods of values that the
 * sandbox permits.
 *
 * <p>Not here: operators ({@code value}).
 *
 * <p>Step B of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.text.chat.jinja.library;

import org.jspecify.annotations.NullMarked;
