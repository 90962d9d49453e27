/**
 * Helpers that tests of several modules share: seeds of property tests, and the lines that a test reports.
 *
 * <p>Not here: anything that knows another module.
 */
@NullMarked
package io.rankfeed.testing;

import org.jspecify.annotations.NullMarked;
