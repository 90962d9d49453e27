/**
 * Simulates a whole planned run from its order alone: counts visits, repeats and draws by stratum, and measures how well rows are
 * shuffled. Reports of the result are in {@code io.rankfeed.report}.
 *
 * <p>Not here: the order itself ({@code order}); a simulation only reads it.
 */
@NullMarked
package io.rankfeed.sampling.simulate;

import org.jspecify.annotations.NullMarked;
