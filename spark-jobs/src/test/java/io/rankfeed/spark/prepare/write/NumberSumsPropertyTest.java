package io.rankfeed.spark.prepare.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rankfeed.schema.manifest.ColumnStatistics;
import io.rankfeed.testing.Seed;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One pass over numbers in pieces, against two skips them all in numbers of 60 digits. */
class NumberSumsPropertyTest {
    private static final MathContext DIGITS = new MathContext(60);

    private static LongStream seeds() {
        return Seed.several(NumberSumsPropertyTest.class, 6);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void sums_anyNumbers_equalThoseOfTwoPasses(long seed) {
        Random random = new Random(seed);
        check(seed, random, x -> 1e9 + 1e-3 * x);
        check(seed, random, x -> -1e12 + x);
        check(seed, random, x -> x);
        check(seed, random, x -> 1e-150 * x);
        check(seed, random, x -> Math.exp(20 * x));
        check(seed, random, x -> x > 0 ? 1e15 : 1 + 1e-6 * x);
        check(seed, random, x -> Math.rint(1000 * x) + 4.503599627370496E15);
    }

    /** So many that a mean of one number stops long before the last one. */
    @Test
    void sums_millionNumbersNearLargeMean_areExact() {
        Random random = new Random(9);
        NumberSums running = new NumberSums();
        int count = 1_000_000;
        // Numbers and their distances from 1e9 are exact.
        double[] steps = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            steps[i] = (random.nextInt(1 << 14) + i / 100) * 0x1p-23;
            sum += steps[i];
            running.add(1e9 + steps[i]);
        }
        double mean = sum / count;
        double squares = 0;
        for (double step : steps) {
            squares += (step - mean) * (step - mean);
        }
        ColumnStatistics got = running.statistics();
        assertThat(got.mean().getAsDouble()).isEqualTo(1e9 + mean);
        assertThat(got.std().getAsDouble()).isCloseTo(Math.sqrt(squares / count), within(1e-13));
    }

    private static void check(long seed, Random random, DoubleUnaryOperator of) {
        double[] values = random.doubles(2 + random.nextInt(3000))
                .map(x -> of.applyAsDouble(random.nextGaussian()))
                .toArray();
        NumberSums sums = new NumberSums();
        for (int from = 0; from < values.length; ) {
            int to = Math.min(values.length, from + 1 + random.nextInt(700));
            NumberSums running = new NumberSums();
            Arrays.stream(values, from, to).forEach(running::add);
            sums.add(running);
            from = to;
        }
        BigDecimal count = new BigDecimal(values.length);
        BigDecimal mean = Arrays.stream(values)
                .mapToObj(BigDecimal::new)
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .divide(count, DIGITS);
        double std = Arrays.stream(values)
                .mapToObj(value -> new BigDecimal(value).subtract(mean).pow(2))
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .divide(count, DIGITS)
                .sqrt(DIGITS)
                .doubleValue();
        ColumnStatistics got = sums.statistics();
        String which = "seed " + seed + ", " + values.length + " numbers like " + values[0];
        assertThat(got.count()).as(which).isEqualTo(values.length);
        assertThat(got.mean().getAsDouble())
                .as(which)
                .isCloseTo(mean.doubleValue(), within(Math.ulp(mean.doubleValue()) + 1e-15 * std));
        assertThat(got.std().getAsDouble()).as(which).isCloseTo(std, within(1e-13 * std));
    }
}
