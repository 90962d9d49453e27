/**
 * A whole planned run without its rows: visits, repeats and draws by stratum. Only counts belong here; reports are in the jobs.
 */
@NullMarked
package io.rankfeed.sampling.simulate;

import org.jspecify.annotations.NullMarked;
