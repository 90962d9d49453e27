/**
 * A whole planned run without its rows: visits, repeats and draws by stratum. Only counts belong here; reports are in the jobs.
 *
 * <p>Not here: the order itself ({@code order}); a simulation only reads it.
 */
@NullMarked
package io.rankfeed.sampling.simulate;

import org.jspecify.annotations.NullMarked;
