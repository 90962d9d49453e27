package io.rankfeed.feeder.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rates of masked tokens are those of the rule, within four standard deviations. */
class TokenMaskingTest {
    private static final int TOKENS = 1000;
    private static final int ROWS = 200;
    private static final int VOCABULARY = 500;
    private static final long MASK = 600;
    private static final long TOKEN = 700;
    private static final long SPECIAL = 701;

    @ParameterizedTest
    @CsvSource({"0.15, 0.8, 0.1", "0.5, 0.5, 0.5", "1, 0, 1", "0.3, 1, 0", "0.2, 0, 0"})
    void rates_equalTheRule(double probability, double replace, double random) {
        TokenMasking masking =
                new TokenMasking(new MaskRule(MASK, VOCABULARY, probability, replace, random, List.of(SPECIAL)));
        long[] ids = new long[TOKENS];
        long[] labels = new long[TOKENS];
        long chosen = 0;
        long replaced = 0;
        long changed = 0;
        long sum = 0;
        for (int row = 0; row < ROWS; row++) {
            Arrays.fill(ids, TOKEN);
            ids[3] = SPECIAL;
            System.arraycopy(ids, 0, labels, 0, TOKENS);
            masking.apply(ids, labels, TOKENS, 0, 11, row, row % 3);
            assertThat(ids[3]).isEqualTo(SPECIAL);
            assertThat(labels[3]).isEqualTo(TextRules.IGNORED);
            for (int i = 0; i < TOKENS; i++) {
                if (labels[i] == TOKEN) {
                    chosen++;
                    replaced += ids[i] == MASK ? 1 : 0;
                    changed += ids[i] < VOCABULARY ? 1 : 0;
                    sum += ids[i] < VOCABULARY ? ids[i] : 0;
                } else {
                    assertThat(labels[i]).isEqualTo(TextRules.IGNORED);
                    assertThat(ids[i]).isIn(TOKEN, SPECIAL);
                }
            }
        }
        requireRate(chosen, (long) ROWS * (TOKENS - 1), probability);
        requireRate(replaced, chosen, replace);
        requireRate(changed, chosen, random);
        if (changed > 0) {
            double deviation = VOCABULARY / Math.sqrt(12.0 * changed);
            assertThat((double) sum / changed).isBetween(249.5 - 4 * deviation, 249.5 + 4 * deviation);
        }
    }

    private static void requireRate(long found, long trials, double rate) {
        double deviation = Math.sqrt(trials * rate * (1 - rate));
        assertThat(found - trials * rate).isBetween(-4 * deviation, 4 * deviation);
    }
}
