package io.rankfeed.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReportTextTest {
    private static Report report(int answers) {
        Report report = new Report().fact("kind", "x");
        IntStream.range(0, answers).forEach(line -> report.answer(String.format(Locale.ROOT, "answer %d", line)));
        report.table("strata of train", "name").add("a");
        report.table("strata of valid", "name").add("b");
        return report;
    }

    @Test
    void anAnswerHasAtMostTenLinesAndNamesTheRest() {
        List<String> whole = ReportText.lines(report(9), false);
        assertThat(whole).hasSize(10).endsWith("answer 8", "--verbose prints strata");
        List<String> cut = ReportText.lines(report(12), false);
        assertThat(cut).hasSize(10).endsWith("answer 7", "… and 4 more lines", "--verbose prints strata");
        assertThat(ReportText.lines(report(12), true))
                .hasSize(12 + 1 + 1 + 2 * 4)
                .contains("answer 11", "  b");
    }

    @Test
    void aReportWithoutAnAnswerIsPrintedWhole() {
        assertThat(ReportText.lines(report(0), false)).contains("kind  x", "strata of train");
    }

    @Test
    void answer_controlCharactersInData_areEscaped() {
        Report report = new Report().answer("columns: " + "a\u001b[31m\nb");
        assertThat(ReportText.lines(report, false)).hasSize(2).noneMatch(line -> line.contains("\u001b"));
    }

    @Test
    void aLongListIsCut() {
        assertThat(Report.listed(List.of("a", "b"))).isEqualTo("a, b");
        List<String> ten = IntStream.range(0, 10).mapToObj(Integer::toString).toList();
        assertThat(Report.listed(ten)).isEqualTo("0, 1, 2, 3, 4, 5, 6, 7, … and 2 more");
    }
}
