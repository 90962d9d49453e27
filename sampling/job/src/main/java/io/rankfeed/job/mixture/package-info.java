/**
 * The file of a mixture as records: what a user may write for {@code rankfeed plan --mixture}, and the request that it makes.
 *
 * <p>Not here: the versions of the members, and the arithmetic of mixtures ({@code sampling.mixture}).
 */
@NullMarked
package io.rankfeed.job.mixture;

import org.jspecify.annotations.NullMarked;
