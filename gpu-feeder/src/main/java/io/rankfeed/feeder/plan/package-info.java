/**
 * Plans over a version: the settings of the version's own plan with the user's over them, and the small files of plans.
 *
 * <p>Not here: the arithmetic of plans ({@code sampling.plan}), their files' format ({@code schema.order}), and serving them.
 */
@NullMarked
package io.rankfeed.feeder.plan;

import org.jspecify.annotations.NullMarked;
