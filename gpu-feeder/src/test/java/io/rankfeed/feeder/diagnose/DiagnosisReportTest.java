package io.rankfeed.feeder.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.timing.Bottleneck;
import io.rankfeed.feeder.timing.StageTimes;
import io.rankfeed.report.Report;
import io.rankfeed.report.ReportOutput;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class DiagnosisReportTest {
    private static final String NO_SETTING = "no setting of the feed helps";

    @Test
    void report_trainerThatWaits_namesTheContradiction() {
        assertThat(text(0.02, 0)).contains(NO_SETTING, "as they are").doesNotContain("ended with");
        assertThat(text(0.567, 0))
                .contains("bottleneck: trainer", "but the trainers also wait for batches")
                .doesNotContain(NO_SETTING, "as they are");
        assertThat(text(0, 0)).contains("the trainers wait 0 % of the time");
    }

    @Test
    void report_trainersThatFailed_warns() {
        assertThat(text(0.02, 7)).contains("warning: the trainers ended with 7;");
        assertThat(ReportOutput.json(report(0.02, 7))).contains("\"trainersExitCode\"");
    }

    @Test
    void facts_haveTheAdviceOfTheText() {
        assertThat(ReportOutput.json(report(0.02, 0))).contains("\"advice\"", NO_SETTING);
        assertThat(ReportOutput.json(report(0.567, 0))).contains("compare --depth and --workers with rankfeed bench");
    }

    /** A load of more than twice the other time limits the feed; one of less than half of it costs nothing. */
    @ParameterizedTest
    @CsvSource({
        "0.1001, 2.00, input-bound",
        "0.1, 2.00, about equal",
        "0.05, 1.00, about equal",
        "0.025, 0.50, about equal",
        "0.0249, 0.50, loading is hidden",
    })
    void load_isComparedWithComputationAndCopy(double load, String ratio, String meaning) {
        FeedStretch stretch = new FeedStretch("train", 1, 10, 6_400, 100, StageTimes.NONE, 1, 4, 1, 2);
        Bottleneck decode = new Bottleneck("decode", 1, 0.6, 0);
        FeedDiagnosis diagnosis = new FeedDiagnosis(stretch, decode, load, 0, 0, 0.05, 0.05, 0, 0.1, load);
        String expected = ratio + " (" + meaning + ")";
        assertThat(text(DiagnosisReport.of(diagnosis, 0, List.of(), List.of())))
                .contains("load against compute: " + expected + "; load against copy: " + expected);
    }

    @Test
    void reading_ofOtherFormats_namesThem() {
        FeedStretch stretch = new FeedStretch("train", 1, 10, 6_400, 100, StageTimes.NONE, 1, 4, 1, 2);
        Bottleneck reading = new Bottleneck("read", 1, 0.6, 0.6);
        FeedDiagnosis diagnosis = new FeedDiagnosis(stretch, reading, 0.05, 0, 0, 0, 0.01, 0.02, 0.06, 0.02);
        assertThat(text(DiagnosisReport.of(diagnosis, 0, List.of(), List.of("images", "webdataset"))))
                .contains("bottleneck: disk (read", "read at random from files of the format images, webdataset: copy");
        assertThat(text(DiagnosisReport.of(diagnosis, 0, List.of(), List.of())))
                .contains("use a local SSD for --cache")
                .doesNotContain("format");
    }

    private static String text(double dataWait, int exitCode) {
        return text(report(dataWait, exitCode));
    }

    private static String text(Report report) {
        StringWriter printed = new StringWriter();
        CommandLine command = new CommandLine(CommandSpec.create()).setOut(new PrintWriter(printed, true));
        command.parseArgs();
        ReportOutput.print(report, false, command);
        return printed.toString().replaceAll("\\s+", " ");
    }

    private static Report report(double dataWait, int exitCode) {
        FeedStretch stretch = new FeedStretch("train", 1, 10, 6_400, 100, StageTimes.NONE, 1, 4, 1, 2);
        Bottleneck trainer = new Bottleneck("trainer", 1, dataWait, 0.6);
        return DiagnosisReport.of(
                new FeedDiagnosis(stretch, trainer, 0.01, 0, 0, 0, 0.05, 0.02, 0.06, 0.02),
                exitCode,
                List.of(),
                List.of());
    }
}
