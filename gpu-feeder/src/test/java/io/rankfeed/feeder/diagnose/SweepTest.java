package io.rankfeed.feeder.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.diagnose.Sweep.Run;
import io.rankfeed.report.ReportOutput;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SweepTest {
    /** Twice as fast with two workers, no gain from more; more than three slots gain 2 %, which is too little. */
    private static final Sweep SWEEP = new Sweep(runs());

    private static List<Run> runs() {
        List<Run> runs = new ArrayList<>();
        for (int workers : Sweep.WORKERS) {
            for (int depth : Sweep.DEPTHS) {
                double base = workers == 0 ? 1000 : workers == 1 ? 1500 : 2000;
                runs.add(new Run(workers, depth, base * (depth == 2 ? 0.9 : depth == 3 ? 1 : 1.02)));
            }
        }
        return runs;
    }

    @Test
    void best_settingsThatAreEqual_isTheSmallest() {
        assertThat(SWEEP.best()).isEqualTo(new Run(2, 3, 2000));
        assertThat(SWEEP.speedup(SWEEP.best())).isEqualTo(2000 / 900.0);
        assertThat(new Sweep(List.of(new Run(4, 9, 0))).best().workers()).isEqualTo(4);
    }

    @Test
    void csv_hasEverySetting() {
        assertThat(SWEEP.csv())
                .startsWith("workers,depth,rows_per_second,speedup\n0,2,900.0,1.000\n")
                .contains("\n2,3,2000.0,2.222\n")
                .hasLineCount(21);
    }

    @Test
    void feedFile_keepsWhatWasGiven() {
        assertThat(SWEEP.feedFile(
                        "grace: 5 s\nworkers: 7\ndepth : 9\nfeeds:\n  train:\n    columns: [{name: depth}]\n"))
                .isEqualTo("workers: 2\ndepth: 3\ngrace: 5 s\nfeeds:\n  train:\n    columns: [{name: depth}]\n");
        assertThat(SWEEP.feedFile("")).isEqualTo("workers: 2\ndepth: 3\n");
    }

    @Test
    void report_hasPicturesAndSettings() {
        assertThat(ReportOutput.json(SWEEP.report("train"))).contains("\"bestWorkers\" : 2", "\"bestDepth\" : 3");
        assertThat(SWEEP.report("a<b").pictures().keySet()).containsExactly("heat-map", "curve");
        assertThat(SWEEP.report("a<b").pictures().get("curve").svg()).contains("a&lt;b", "depth 9");
        assertThat(SWEEP.report("train").pictures().get("heat-map").svg()).contains("2,000", "4 workers");
    }
}
