package io.rankfeed.spark.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.rankfeed.spark.generate.CodeContestsRows.Sample;
import io.rankfeed.spark.generate.CodeContestsShape.Count;
import io.rankfeed.spark.generate.CodeContestsShape.Split;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CodeContestsRowsTest {
    private static final CodeContestsRows ROWS = new CodeContestsRows(42, CodeContestsShape.of(20_000));
    private static final List<Sample> ALL =
            LongStream.range(0, ROWS.shape().rows()).mapToObj(ROWS::row).toList();

    @Test
    void counts_areThoseOfTheShape() {
        for (Split split : ROWS.shape().splits()) {
            List<Sample> rows =
                    ALL.stream().filter(row -> row.split().equals(split.name())).toList();
            assertThat(rows).hasSize((int) split.rows());
            assertThat(rows.stream().filter(Sample::isCorrect).count()).isEqualTo(split.correct());
            for (Count count : split.difficulties()) {
                assertThat(rows.stream()
                                .filter(row -> row.difficulty() == count.difficulty())
                                .count())
                        .as("difficulty %d of %s", count.difficulty(), split.name())
                        .isEqualTo(count.rows());
            }
        }
    }

    @Test
    void splits_areInTheOrderTrainValidTest() {
        assertThat(ALL.stream().map(Sample::split).distinct()).containsExactly("train", "valid", "test");
        assertThat(ALL.get(19_999).split()).isEqualTo("train");
        assertThat(ALL.get(20_000).split()).isEqualTo("valid");
    }

    @Test
    void taskIds_areUniqueAndDescribeTheRow() {
        assertThat(ALL.stream().map(Sample::taskId).distinct().count()).isEqualTo(ALL.size());
        assertThat(ALL).allMatch(row -> row.taskId()
                .matches("[0-9]+_[A-F]_" + (row.isCorrect() ? "correct" : "incorrect") + "_[0-9]+"));
    }

    @Test
    void solutionsOfAProblem_areAtMost20AndShareItsFacts() {
        Map<String, List<Sample>> problems = ALL.stream().collect(Collectors.groupingBy(CodeContestsRowsTest::problem));
        problems.forEach((problem, rows) -> {
            assertThat(distinct(rows, Sample::instruction)).isEqualTo(1);
            assertThat(distinct(rows, Sample::difficulty)).isEqualTo(1);
            assertThat(distinct(rows, Sample::split)).isEqualTo(1);
            assertThat(rows).hasSizeBetween(1, 20);
        });
        assertThat(problems.values().stream().map(List::size).distinct().count())
                .isEqualTo(20);
        assertThat(distinct(ALL, Sample::instruction)).isEqualTo(problems.size());
    }

    @Test
    void correctRows_areSpreadOverDifficulties() {
        List<Sample> easy = ALL.stream().filter(row -> row.difficulty() == 2).toList();
        double share = easy.stream().filter(Sample::isCorrect).count() / (double) easy.size();
        assertThat(share).isCloseTo(0.4752, within(0.06));
    }

    @Test
    void inputs_someEmpty_otherColumnsNever() {
        double empty = ALL.stream().filter(row -> row.input().isEmpty()).count() / (double) ALL.size();
        assertThat(empty).isCloseTo(1.0 / CodeContestsText.EMPTY_ONE_IN, within(0.005));
        assertThat(ALL)
                .noneMatch(row -> row.output().isEmpty() || row.instruction().isEmpty());
    }

    @Test
    void texts_someBeyondLatin_areWellFormed() {
        double beyond = ALL.stream()
                        .filter(row -> row.output().codePoints().anyMatch(c -> c > 255))
                        .count()
                / (double) ALL.size();
        assertThat(beyond).isCloseTo(1.0 / CodeContestsText.BEYOND_ONE_IN, within(0.02));
        assertThat(ALL).anyMatch(row -> row.instruction().codePoints().anyMatch(Character::isSupplementaryCodePoint));
        assertThat(ALL).anyMatch(row -> row.instruction().indexOf('\u0301') > 0);
        assertThat(ALL).allMatch(row -> isWellFormed(row.instruction()) && isWellFormed(row.output()));
    }

    @Test
    void lengths_followALogNormalDistribution() {
        double[] logs = ALL.stream()
                .mapToDouble(row -> StrictMath.log(row.output().length()))
                .sorted()
                .toArray();
        double median = logs[logs.length / 2];
        // One standard deviation to either side holds 68 %; a normal has its median in the middle.
        assertThat(logs[(int) (0.84 * logs.length)] - median).isCloseTo(0.8, within(0.1));
        assertThat(median - logs[(int) (0.16 * logs.length)]).isCloseTo(0.8, within(0.1));
    }

    @Test
    void row_isAFunctionOfSeedAndNumberAlone() {
        CodeContestsRows again = new CodeContestsRows(42, CodeContestsShape.of(20_000));
        for (int number = ALL.size() - 1; number >= 0; number -= 997) {
            assertThat(again.row(number)).isEqualTo(ALL.get(number));
        }
        assertThat(new CodeContestsRows(43, ROWS.shape()).row(5)).isNotEqualTo(ALL.get(5));
    }

    @Test
    void lastRow_ofThePublishedSize_isTheLast() {
        CodeContestsRows full = new CodeContestsRows(7, CodeContestsShape.of(CodeContestsShape.TRAIN_ROWS));
        long rows = 3_691_981 + 14_725 + 14_851;
        assertThat(full.row(rows - 1).split()).isEqualTo("test");
        assertThatThrownBy(() -> full.row(rows)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static String problem(Sample row) {
        return row.taskId().replaceAll("_(in)?correct.*", "");
    }

    private static long distinct(List<Sample> rows, Function<Sample, ?> member) {
        return rows.stream().map(member).distinct().count();
    }

    private static boolean isWellFormed(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).equals(text);
    }
}
