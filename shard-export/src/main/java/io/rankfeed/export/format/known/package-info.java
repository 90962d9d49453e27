/**
 * The formats by name.
 *
 * <p>Not here: a format.
 */
@NullMarked
package io.rankfeed.export.format.known;

import org.jspecify.annotations.NullMarked;
