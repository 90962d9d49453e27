/**
 * Shares in whole units: by weight, by margins, within bounds, or such that no share falls as their sum grows.
 *
 * <p>Not here: what is shared, and why ({@code plan}).
 */
@NullMarked
package io.rankfeed.sampling.plan.quota;

import org.jspecify.annotations.NullMarked;
