package io.rankfeed.spark.job;

import io.rankfeed.schema.config.Default;
import java.math.BigDecimal;
import java.util.Map;

/**
 * A stretch of the run with weights of its own.
 *
 * @param until fraction of the run at which it ends
 * @param weights by a strata column's value or bin, or by whole strata; empty where only {@code balance} weighs
 */
public record Stage(BigDecimal until, @Default("{}") Map<String, BigDecimal> weights) {}
