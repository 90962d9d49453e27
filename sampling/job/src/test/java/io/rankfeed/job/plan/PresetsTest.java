package io.rankfeed.job.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.FeedSection;
import io.rankfeed.job.JobFile;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.FeedDecisions;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The shipped job files at the sizes that were published, over the counts of CodeContests: 3,691,981 train rows (1,981 of
 * unknown difficulty), 47.52 % of them correct; 14,725 held out, 55.6 % of them correct; 10.8 % low, 87.1 % medium, 2.1 % high.
 */
class PresetsTest {
    private static final List<CountedStratum> TRAIN = List.of(
            stratum("false", "high", 40_667),
            stratum("false", "low", 209_143),
            stratum("false", "medium", 1_686_702),
            stratum("true", "high", 36_823),
            stratum("true", "low", 189_377),
            stratum("true", "medium", 1_527_288));

    private static final List<CountedStratum> VALID = List.of(
            stratum("false", "high", 137),
            stratum("false", "low", 706),
            stratum("false", "medium", 5_698),
            stratum("true", "high", 172),
            stratum("true", "low", 884),
            stratum("true", "medium", 7_128));

    @ParameterizedTest
    @CsvSource({"10000, 1000", "50000, 5000"})
    void critic_hasSixKindsEquallyOften(long rows, long valid) throws IOException {
        TrainFeed feed = train(plan("critic", "train", TRAIN, "rows=" + rows));
        long drawn = rows / 64 * 64;
        assertThat(feed.stepsPerEpoch()).isEqualTo(rows / 64);
        assertShares(feed, 0, drawn, Map.of("low", 1 / 3.0, "medium", 1 / 3.0, "high", 1 / 3.0));
        assertThat(plan("critic", "train", TRAIN, "rows=" + rows).decisions().isEmpty())
                .isTrue();

        FeedNumbers held = heldOut("critic", rows);
        assertThat(train(held).stepsPerEpoch()).isEqualTo(valid / 64);
        assertHalfCorrect(train(held));
        assertThat(train(held).strata()).allMatch(stratum -> stratum.rows() > 0);
        assertThat(held.decisions().shortages().isEmpty()).isEqualTo(rows == 10_000 && valid / 6 < 137);
    }

    @ParameterizedTest
    @ValueSource(longs = {100_000, 500_000})
    void verifiable_hasItsSharesAndHalfIsCorrect(long rows) throws IOException {
        FeedNumbers planned = plan("verifiable", "train", TRAIN, "rows=" + rows);
        TrainFeed feed = train(planned);
        long steps = rows / 64;
        assertThat(feed.segments().stream().map(Segment::step))
                .containsExactly(0L, Math.round(0.3 * steps), Math.round(0.7 * steps));
        assertHalfCorrect(feed);
        assertShares(feed, 0, feed.segments().get(0).steps() * 64, Map.of("low", 0.7, "medium", 0.3, "high", 0.0));
        assertShares(feed, 1, feed.segments().get(1).steps() * 64, Map.of("low", 0.3, "medium", 0.6, "high", 0.1));
        if (rows == 100_000) {
            assertShares(feed, 2, feed.segments().get(2).steps() * 64, Map.of("low", 0.1, "medium", 0.5, "high", 0.4));
            assertThat(planned.decisions().isEmpty()).isTrue();
        } else {
            // 20,000 and 60,000 high rows in one epoch, half of them correct, of which there are 36,823.
            assertThat(planned.decisions().shortages())
                    .contains(new FeedDecisions.Shortage(2, "true/high", 30_000, 36_823, 26_816, 0));
        }
    }

    @Test
    void verifiable_of200000Rows_reportsItsShortage() throws IOException {
        String[] sizes = {"rows=200000", "epochs=10"};
        FeedNumbers planned = plan("verifiable", "train", TRAIN, sizes);
        assertHalfCorrect(train(planned));
        // The last three epochs of ten want 40,000 correct high rows each.
        assertThat(planned.decisions().shortages())
                .contains(new FeedDecisions.Shortage(2, "true/high", 120_000, 36_823, 110_448, 0));

        List<String> repeat = new ArrayList<>(List.of(sizes));
        repeat.add("on-shortage=repeat");
        assertThat(plan("verifiable", "train", TRAIN, repeat.toArray(String[]::new))
                        .decisions()
                        .shortages())
                .contains(new FeedDecisions.Shortage(2, "true/high", 120_000, 36_823, 120_000, 9_531));

        repeat.set(2, "on-shortage=error");
        assertThatThrownBy(() -> plan("verifiable", "train", TRAIN, repeat.toArray(String[]::new)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "feed 'train': stratum 'true/high': epoch 7 wants 40000 rows, the table has 36823");
    }

    @Test
    void validation_isATenthOfTheRowsAsFarAsHeldOut() throws IOException {
        FeedNumbers held = heldOut("verifiable", 100_000);
        assertHalfCorrect(train(held));
        assertThat(train(held).stepsPerEpoch()).isEqualTo(10_000 / 64);
        assertThat(held.decisions().shortages()).isNotEmpty();
        FeedNumbers most = heldOut("verifiable", 500_000);
        assertHalfCorrect(train(most));
        assertThat(train(most).stepsPerEpoch()).isEqualTo(12_800 / 64);
        assertThat(train(heldOut("verifiable", 640)).stepsPerEpoch()).isEqualTo(100 / 64);
        assertThatThrownBy(() -> plan("verifiable", "valid", VALID, "rows=50000", "rows-of="))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("feed 'valid': stage 0");
    }

    @Test
    void baseline_hasOnlyCorrectRows() throws IOException {
        FeedSection section = section("baseline", "train");
        assertThat(section.where()).contains("split = 'train' AND is_correct");
        TrainFeed feed = train(plan("baseline", "train", all(1_754_429)));
        assertThat(feed.stepsPerEpoch()).isEqualTo(1_562);
        assertThat(feed.strata().get(0).rows()).isEqualTo(1_562 * 64);
        SequentialFeed valid =
                (SequentialFeed) plan("baseline", "valid", all(8_184)).feed();
        assertThat(valid.rows()).isEqualTo(8_184);
        assertThat(valid.steps()).isEqualTo(128);
    }

    /** Five kinds of very different size, as many rows as the published shop has, in its batches of a hundred. */
    @Test
    void products_haveEachCategoryEquallyOften() throws IOException {
        List<CountedStratum> shop = List.of(
                new CountedStratum("Accessories", List.of("Accessories"), 9_000),
                new CountedStratum("Bags", List.of("Bags"), 5_000),
                new CountedStratum("Clothing", List.of("Clothing"), 80_000),
                new CountedStratum("Jewelry", List.of("Jewelry"), 8_718),
                new CountedStratum("Shoes", List.of("Shoes"), 50));
        FeedNumbers planned = plan("products", "train", shop, "rows=102768", "batch=100", "lanes=4", "epochs=5");
        TrainFeed feed = train(planned);
        assertThat(feed.stepsPerEpoch()).isEqualTo(1_027);
        assertThat(feed.segments().get(0).quotas()).allMatch(units -> units * 4 == 5 * 1_027 * 20);
        assertThat(planned.decisions().shortages())
                .contains(new FeedDecisions.Shortage(0, "Shoes", 102_700, 50, 102_700, 102_450));
    }

    /** Within a unit of {@code lanes} rows for each stratum. */
    private static void assertShares(TrainFeed feed, int segment, long rows, Map<String, Double> ofDifficulty) {
        for (int s = 0; s < feed.strata().size(); s++) {
            String name = feed.strata().get(s).name();
            double share = Objects.requireNonNull(ofDifficulty.get(name.substring(name.indexOf('/') + 1)));
            assertThat((double) feed.segments().get(segment).quotas().get(s) * feed.lanes())
                    .as(name)
                    .isBetween(rows * share / 2 - 1.5 * feed.lanes(), rows * share / 2 + 1.5 * feed.lanes());
        }
    }

    /** To one unit, which is what an odd number of units leaves over. */
    private static void assertHalfCorrect(TrainFeed feed) {
        for (Segment segment : feed.segments()) {
            long wrong =
                    segment.quotas().subList(0, 3).stream().mapToLong(q -> q).sum();
            long right =
                    segment.quotas().subList(3, 6).stream().mapToLong(q -> q).sum();
            assertThat(Math.abs(right - wrong)).isLessThanOrEqualTo(1);
        }
    }

    /** The validation of a preset that trains on so many rows. */
    private static FeedNumbers heldOut(String preset, long trainRows) throws IOException {
        return plan("valid", VALID, section(preset, "valid", List.of("sample.train.rows=" + trainRows)));
    }

    private static FeedNumbers plan(String preset, String feed, List<CountedStratum> strata, String... sizes)
            throws IOException {
        return plan(feed, strata, section(preset, feed, sizes));
    }

    private static FeedNumbers plan(String feed, List<CountedStratum> strata, FeedSection section) {
        return FeedNumbers.of(feed, section, strata, List.of(), section.onShortage());
    }

    private static FeedSection section(String preset, String feed, String... sizes) throws IOException {
        List<String> sets = new ArrayList<>();
        for (String size : sizes) {
            sets.add("sample." + feed + "." + size);
        }
        return section(preset, feed, sets);
    }

    private static FeedSection section(String preset, String feed, List<String> sets) throws IOException {
        Path file = Path.of("..", "..", "conf", "jobs", preset + ".yaml");
        return Objects.requireNonNull(JobFile.read(file.toString(), Files.readAllBytes(file), sets)
                .sample()
                .get(feed));
    }

    private static TrainFeed train(FeedNumbers planned) {
        return (TrainFeed) planned.feed();
    }

    private static List<CountedStratum> all(long rows) {
        return List.of(new CountedStratum(CountedStratum.ALL, List.of(), rows));
    }

    private static CountedStratum stratum(String correct, String difficulty, long rows) {
        return new CountedStratum(correct + "/" + difficulty, List.of(correct, difficulty), rows);
    }
}
