package io.rankfeed.spark.sample.strata;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class StrataPartTest {
    /** Spark logs the literals of a query: a NUL would make its log a binary file. */
    @Test
    void names_ofMissingValues_haveNoControlCharacters() {
        for (String name : List.of(StrataPart.UNBINNED, StrataPart.NULL)) {
            assertThat(name.chars()).noneMatch(Character::isISOControl);
        }
    }

    @Test
    void order_ofDoubles_isThatOfTheirNumbers() {
        List<Double> doubles = List.of(
                Double.NEGATIVE_INFINITY,
                -1e300,
                -1.5,
                -Double.MIN_VALUE,
                0.0,
                Double.MIN_VALUE,
                1.5,
                1e300,
                Double.POSITIVE_INFINITY);
        List<Long> ordered = doubles.stream().map(StrataPart::ordered).toList();
        List<Long> sorted = new ArrayList<>(ordered);
        Collections.sort(sorted);
        assertThat(ordered).isEqualTo(sorted).doesNotHaveDuplicates();
        assertThat(StrataPart.ordered(-0.0)).isEqualTo(StrataPart.ordered(0.0));
    }
}
