package io.rankfeed.spark.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.console.ProgressLine;
import io.rankfeed.console.ProgressLine.Shape;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

class ConsoleProgressTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final AtomicLong nanos = new AtomicLong();

    @Test
    void terminal_getsOneBarThatALineReplaces() {
        run(Shape.BAR);

        assertThat(text())
                .contains("\r\u001b[K[######..................] prepare: count the rows: tasks 1/4")
                .contains("\r\u001b[K[############............] prepare: count the rows: tasks 2/4")
                .contains("\r\u001b[Kprepare: 12 rows (");
    }

    @Test
    void log_getsPlainLinesEveryFewSeconds() {
        run(Shape.LINES);

        assertThat(text().lines().filter(line -> line.contains("tasks")).toList())
                .containsExactly("prepare: count the rows: tasks 2/4", "prepare: count the rows: tasks 4/4");
        assertThat(text().chars().filter(c -> c != '\n' && Character.isISOControl(c)))
                .isEmpty();
    }

    @Test
    void step_ofNoPhase_isNotNamed() {
        run(Shape.LINES, "broadcast exchange (runId 7)", 4);

        assertThat(text()).contains("prepare: tasks 2/4");
    }

    @Test
    void task_single_hasNoProgress() {
        run(Shape.LINES, "prepare: check the sources", 1);
        run(Shape.BAR, "prepare: check the sources", 1);

        assertThat(text()).contains("prepare: 12 rows (").doesNotContain("tasks");
    }

    @Test
    void progress_none_reportsNothing() {
        run(Shape.NOTHING);

        assertThat(text()).isEmpty();
    }

    private void run(Shape shape) {
        run(shape, "prepare: count the rows", 4);
    }

    /** A job of so many tasks, three seconds each; one alone takes six. */
    private void run(Shape shape, String step, int tasks) {
        ConsoleProgress progress = new ConsoleProgress(
                new ProgressLine(new PrintStream(bytes, true, StandardCharsets.UTF_8), shape, nanos::get), nanos::get);
        progress.phase("prepare");
        StageInfo stage =
                new StageInfo(7, 0, "stage", tasks, none(), none(), "", null, none(), Option.empty(), 0, false, 0);
        Seq<StageInfo> stages = CollectionConverters.asScala(List.of(stage)).toSeq();
        Properties described = new Properties();
        described.setProperty("spark.job.description", step);
        progress.onJobStart(new SparkListenerJobStart(1, System.currentTimeMillis(), stages, described));
        progress.onStageSubmitted(new SparkListenerStageSubmitted(stage, new Properties()));
        for (int task = 0; task < tasks; task++) {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(tasks == 1 ? 6 : 3));
            progress.onTaskEnd(new SparkListenerTaskEnd(7, 0, "ResultTask", null, null, null, null));
        }
        progress.note("12 rows");
        progress.ended();
    }

    private static <T> Seq<T> none() {
        return CollectionConverters.<T>asScala(List.of()).toSeq();
    }

    private String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
