package io.rankfeed.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.Range;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * A list of lines as another project draws it from its metadata, number for number.
 *
 * @param compat whose list it is
 * @param samples how many lines
 * @param balanceCorrect whether right rows and wrong ones are drawn apart
 * @param correctRatio share of right rows
 * @param bins difficulties, inclusive {@code [min, max]} by name; the first that fits counts
 * @param weights share of each bin, drawn in the file's order
 */
public record DrawSection(
        Compat compat,
        @Range(min = 1, max = 1 << 27) int samples,
        @Default("42") @Range(min = 0) long seed,
        @Default("false") boolean balanceCorrect,
        @Default("0.5") BigDecimal correctRatio,
        @Default("{}") Map<String, List<BigDecimal>> bins,
        @Default("{}") Map<String, BigDecimal> weights) {
    /** The projects whose lists can be reproduced; the value in the job file is the lower-case name with "-". */
    public enum Compat {
        WEIGHTED_MTP_V1
    }

    public DrawSection {
        if (correctRatio.signum() < 0 || correctRatio.compareTo(BigDecimal.ONE) > 0) {
            throw new BadValue("correct-ratio", correctRatio + " is not a share; it must be from 0 to 1");
        }
        if (bins.isEmpty() != weights.isEmpty()) {
            throw new BadValue(bins.isEmpty() ? "bins" : "weights", "requires the other one too");
        }
        bins.forEach((name, range) -> {
            if (range.size() != 2) {
                throw new BadValue("bins", "'" + name + "' must be [min, max], both inclusive, as in [1, 3]");
            }
        });
        weights.keySet().forEach(name -> {
            if (!bins.containsKey(name)) {
                throw new BadValue("weights", "'" + name + "' is not a bin " + bins.keySet());
            }
        });
    }
}
