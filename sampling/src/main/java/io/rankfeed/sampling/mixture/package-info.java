/**
 * Plans of mixtures: one order over the strata of several members, which are orders of their own (docs/format/plan.md, section 11).
 *
 * <p>Not here: quotas by weight ({@code sampling.plan}), rows and steps ({@code sampling.order}), columns of versions.
 */
@NullMarked
package io.rankfeed.sampling.mixture;

import org.jspecify.annotations.NullMarked;
