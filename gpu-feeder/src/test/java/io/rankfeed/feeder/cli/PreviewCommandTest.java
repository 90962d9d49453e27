package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.feeder.fixture.TextRows;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.SequentialFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Previews a feed of three steps with two rows each; test_preview.py compares whole pages. */
class PreviewCommandTest {
    private static final String ROWS = """
            [{tokens: [7, 8, 9], members: [1, 2], prompts: [0, 1]},
             {tokens: [7], members: [1], prompts: [0]},
             {tokens: [5, 6], members: [3], prompts: [0]},
             {tokens: [5, 5, 5, 5], members: [2, 2], prompts: [0, 0]},
             {tokens: [1], members: [1], prompts: [0]},
             {tokens: [2], members: [1], prompts: [0]}]
            """;

    @TempDir
    private Path dir;

    private Path version = Path.of("");

    @BeforeEach
    void writeVersion() throws IOException {
        ObjectMapper json = new ObjectMapper().configure(JsonParser.Feature.ALLOW_UNQUOTED_FIELD_NAMES, true);
        Order order = new Order(
                "texts",
                TestVersion.PLAN_ID,
                Optional.of(new Order.Storage(2, 8)),
                List.of(new SequentialFeed("train", 2, 2, 6, 3)));
        version = TestVersion.write(dir, order, TextRows.of(DType.INT32, json.readTree(ROWS)))
                .folder();
    }

    private CommandRun preview(String columns, Object... more) throws IOException {
        return previewAs("page.html", columns, more);
    }

    private CommandRun previewAs(String file, String columns, Object... more) throws IOException {
        Path config = Files.writeString(dir.resolve("feed.yaml"), "feeds: {train: {columns: [" + columns + "]}}");
        Object[] words = new Object[more.length + 5];
        words[0] = version;
        words[1] = "--config";
        words[2] = config;
        words[3] = "--out";
        words[4] = dir.resolve(file);
        System.arraycopy(more, 0, words, 5, more.length);
        return CommandRun.of(new PreviewCommand(), words);
    }

    private String page() throws IOException {
        return Files.readString(dir.resolve("page.html"));
    }

    @Test
    void rejectedRow_isNamedWithoutTokens() throws IOException {
        CommandRun run = preview(
                "{name: input_ids, from: tokens, text: {members: members, prompt: prompts, rejected: empty}}",
                "--step",
                1);

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("2 of 2 rows")
                .containsOnlyOnce("has a member of 3 tokens")
                .doesNotContain("rankfeed_text");
        assertThat(page())
                .containsOnlyOnce("input_ids: rejected, fed without tokens")
                .contains(
                        "<dt>row_id</dt><dd>1014</dd>",
                        "<th>input_ids</th><td>4</td><td>2</td><td>4 of 8 positions</td><td>2</td>",
                        "sequence 1: 2 tokens; position_ids 0 to 1; seq_idx 1",
                        "padding: 4 positions; position_ids 0; seq_idx -1",
                        "data-n=\"4\"");
    }

    @Test
    void rejectedRow_flatBatch_keepsNeighbors() throws IOException {
        CommandRun run = preview(
                "{name: flat_input_ids, from: tokens, text: {members: members, layout: flat, rejected: empty}}",
                "--step",
                1);

        assertThat(run.err()).isEmpty();
        assertThat(page())
                .contains(
                        "<th>flat_input_ids</th><td>4</td><td>2</td><td>0 of 4 positions</td><td>2</td>",
                        "sequence 1: 2 tokens; flat_position_ids 0 to 1");
    }

    @Test
    void rows_aboveLimit_areCounted() throws IOException {
        CommandRun run = preview("{name: ids, from: tokens, text: {tensors: []}}", "--rows", 1);

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("1 of 2 rows");
        assertThat(page())
                .contains("<th>ids</th><td>4</td><td>0</td><td>2 of 6 positions</td><td>2</td>")
                .doesNotContain("<p class=\"cut\">");
        assertThat(page().split("<section>", -1)).hasSize(2);
    }

    @Test
    void feed_withoutTextsOrImages_isRefused() throws IOException {
        String ids = "{name: ids, from: tokens, text: {tensors: []}}";
        refused("must end in .html or .png", previewAs("page.gif", ids));
        refused("has no images for a .png", previewAs("page.png", ids));
        refused("--step 3 does not exist; steps of the run are 0 to 2", preview(ids, "--step", 3));
        refused("--epoch 7 does not exist", preview(ids, "--step", 0, "--epoch", 7));
        refused("nothing to preview", preview("{name: tokens}"));
        refused("no such file", preview(ids, "--tokenizer", dir.resolve("tokenizer.json")));
        refused("'64 MB' is not a size", preview(ids, "--max-bytes", "64 MB"));
        refused(
                "column 'input_ids'",
                preview("{name: input_ids, from: tokens, text: {max-length: 3, eos: {id: 2}, pad-to-length: 2}}"));
        refused(
                "a batch of 2 rows may have 16.5 GiB, at most 4 GiB are previewed",
                preview("{name: input_ids, from: tokens, text: {pad-to-length: 16777216, future: 64}}"));
        assertThat(dir).isDirectoryNotContaining("glob:**page.*");
    }

    @Test
    void column_namedAsAPartOfTheAddress_isShownNextToIt() {
        Map<String, String> caption = PreviewCommand.caption(
                "row_id\tmember\tstratum\tindex\tlane\tordinal\tfile\tsource\tsource_row\tsource\tfile\tmember\tx",
                "1\tweb\tweb/a\t2\t3\t4\tlane.arrow\tt/p.parquet\t5\tbooks\ta.txt\t7\t8",
                (name, value) -> name + " of " + value);
        assertThat(caption)
                .containsExactly(
                        entry("row_id", "1"),
                        entry("member", "web"),
                        entry("stratum", "web/a"),
                        entry("source", "t/p.parquet"),
                        entry("source_row", "5"),
                        entry("column source", "source of books"),
                        entry("file", "file of a.txt"),
                        entry("column member", "member of 7"),
                        entry("x", "x of 8"));
    }

    private static void refused(String message, CommandRun run) {
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(message);
    }
}
