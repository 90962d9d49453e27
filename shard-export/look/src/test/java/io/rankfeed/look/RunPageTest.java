package io.rankfeed.look;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.store.LocalFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunPageTest {
    @TempDir
    private Path root;

    @Test
    void aFailureSaysInWhichPhaseAndWhatIsDoneAlready() {
        String page = page("""
                {"runId": "r", "command": "pipeline", "state": "failed", "exitCode": 4, "error": "disk <full>",
                 "startedAt": "2026-01-02T03:04:05.000Z", "endedAt": "2026-01-02T03:05:05.500Z", "job": {},
                 "phases": [{"name": "prepare", "seconds": "12.000", "rows": 90, "bytes": 5000}]}
                """);

        assertThat(page)
                .contains("Failed in sample, exit code 4", "disk &lt;full&gt;", "Complete: prepare.", "60.5 s")
                .doesNotContain("disk <full>");
    }

    @Test
    void aRunThatEndedInItsFirstMomentHasAPageToo() {
        String page = page("""
                {"runId": "r", "command": "prepare", "state": "failed", "exitCode": 143, "error": "stopped by a signal",
                 "startedAt": "2026-01-02T03:04:05.000Z", "endedAt": "2026-01-02T03:04:05.000Z", "phases": []}
                """);

        assertThat(page).contains("Failed in prepare, exit code 143", "stopped by a signal");
    }

    @Test
    void badRowsAreCountedByReasonAndAnArtifactThatIsGoneIsNamed() {
        String page = page("""
                {"runId": "r", "command": "prepare", "state": "committed", "exitCode": 0, "job": {},
                 "startedAt": "2026-01-02T03:04:05.000Z", "endedAt": "2026-01-02T03:05:05.000Z",
                 "messages": ["a line", "and another"], "prepared": "0123456789abcdef", "badRows": {"null-key": 3, "raised": 7},
                 "phases": [{"name": "prepare", "seconds": "60.000", "rows": 90, "bytes": 5000}]}
                """);

        assertThat(page).contains("a line\nand another");
        assertThat(page.replaceAll("<[^>]+>\\n?", " ").replaceAll(" +", " "))
                .contains("bad rows 10 of 100 started 2026")
                .contains("in all 100 bad: null-key 3 bad: raised 7 in the prepared table 90")
                .contains("prepared 0123456789abcdef cannot be shown:");
    }

    /** As wide as screens are, in light and in dark; nothing is fetched and nothing runs. */
    @Test
    void thePageStandsAlone() {
        String page = page("""
                {"runId": "<script>alert(1)</script>", "command": "prepare", "state": "failed", "error": "\\" onload=x", "phases": []}
                """);

        assertThat(page)
                .contains("default-src 'none'", "prefers-color-scheme: dark", "width=device-width")
                .doesNotContain("<script", "src=", "href=", "url(", "@import")
                .contains("&quot; onload=x");
    }

    private String page(String run) {
        byte[] bytes = run.getBytes(StandardCharsets.UTF_8);
        return new String(
                RunPage.of(
                        StrictJson.parse(bytes, "run.json"),
                        root + "/d",
                        Map.of("bad rows", "10 of 100"),
                        path -> LocalFiles.INSTANCE),
                StandardCharsets.UTF_8);
    }
}
