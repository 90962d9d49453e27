package io.rankfeed.sampling.plan.quota;

import java.math.BigDecimal;
import java.util.Map;

/**
 * Shares of one column's values, over all strata that have the value. Several margins hold at once.
 *
 * @param column what the shares are of, for messages
 * @param valueOf the value of each stratum, by the stratum's name
 * @param weights by value, in any scale; a value that is not named has weight 0
 */
public record Margin(String column, Map<String, String> valueOf, Map<String, BigDecimal> weights) {
    public Margin {
        valueOf = Map.copyOf(valueOf);
        weights = Map.copyOf(weights);
    }
}
