/**
 * What tests of several modules share.
 *
 * <p>Not here: anything that knows another module.
 */
@NullMarked
package io.rankfeed.testing;

import org.jspecify.annotations.NullMarked;
