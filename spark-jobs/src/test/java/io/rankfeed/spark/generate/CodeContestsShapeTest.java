package io.rankfeed.spark.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.rankfeed.spark.generate.CodeContestsShape.Count;
import io.rankfeed.spark.generate.CodeContestsShape.Split;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodeContestsShapeTest {
    @Test
    void counts_ofThePublishedSize_areThePublishedOnes() {
        CodeContestsShape full = CodeContestsShape.of(3_691_981);
        Split train = full.splits().get(0);
        assertThat(train.rows()).isEqualTo(3_691_981);
        assertThat(train.correct()).isEqualTo(1_754_429);
        Map<Integer, Long> counts = counts(train);
        assertThat(counts.get(-1) + counts.get(0)).isEqualTo(1_981);
        // 86.7, 6.4, 4.4, 2.1 and 0.4 % of the 3,690,000 rows whose difficulty is known
        assertThat(counts)
                .containsEntry(7, 3_199_230L)
                .containsEntry(2, 236_160L)
                .containsEntry(1, 162_360L)
                .containsEntry(11, 77_490L)
                .containsEntry(6, 14_760L);
        assertThat(full.splits().get(1).rows()).isEqualTo(14_725);
        assertThat(full.splits().get(1).correct()).isEqualTo(8_184);
        assertThat(full.splits().get(2).rows()).isEqualTo(14_851);
        assertThat(full.splits().get(2).correct()).isEqualTo(8_038);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 63, 64, 1_000, 39_999, 40_000, 1_234_567, 3_691_980, 3_691_981})
    void counts_anySize_addUpAndAreWithinARowOfTheirShare(long rows) {
        CodeContestsShape shape = CodeContestsShape.of(rows);
        assertThat(shape.splits()).extracting(Split::name).containsExactly("train", "valid", "test");
        Split train = shape.splits().get(0);
        assertThat(train.rows()).isEqualTo(rows);
        assertThat((double) train.correct()).isCloseTo(rows * 0.4752, within(1.0));
        Map<Integer, Long> counts = counts(train);
        double unknown = rows * (1_981 / 3_691_981.0);
        assertThat((double) counts.get(-1) + counts.get(0)).isCloseTo(unknown, within(1.0));
        assertThat((double) counts.get(7)).isCloseTo((rows - unknown) * 0.867, within(2.0));
        for (Split split : shape.splits()) {
            assertThat(split.difficulties().stream().mapToLong(Count::rows).sum())
                    .isEqualTo(split.rows());
            assertThat(split.difficulties()).allMatch(count -> count.rows() >= 0);
            assertThat(split.rows()).isGreaterThanOrEqualTo(Math.min(rows, 64));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 3_691_982})
    void size_zeroOrAbovePublished_isRefused(long rows) {
        assertThatThrownBy(() -> CodeContestsShape.of(rows)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Map<Integer, Long> counts(Split split) {
        return split.difficulties().stream().collect(Collectors.toMap(Count::difficulty, Count::rows));
    }
}
