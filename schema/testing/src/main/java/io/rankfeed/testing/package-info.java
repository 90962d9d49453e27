/**
 * Helpers that tests of several modules share: seeds of property tests, the lines that a test reports, and Python environments.
 *
 * <p>Not here: anything that knows another module.
 */
@NullMarked
package io.rankfeed.testing;

import org.jspecify.annotations.NullMarked;
