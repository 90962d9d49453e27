package io.rankfeed.spark.job;

import io.rankfeed.schema.config.Default;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;

/**
 * A stretch of the run with a mixture of its own.
 *
 * @param until fraction of the run at which it ends
 * @param weights by a strata column's value or bin, or by whole strata; empty where only {@code balance} or margins weigh
 * @param margins by strata column the shares of its values, which hold exactly
 * @param floors by stratum the least fraction of the stage's rows; over the feed's own
 * @param caps by stratum the most
 */
public record Stage(
        BigDecimal until,
        @Default("{}") Map<String, BigDecimal> weights,
        Optional<Map<String, Map<String, BigDecimal>>> margins,
        Optional<Map<String, BigDecimal>> floors,
        Optional<Map<String, BigDecimal>> caps) {}
