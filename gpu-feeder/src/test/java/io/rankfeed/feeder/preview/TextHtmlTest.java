package io.rankfeed.feeder.preview;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.preview.SheetRow.Picture;
import io.rankfeed.schema.image.RgbPixels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextHtmlTest {
    private static final long IGNORED = -100;

    @TempDir
    private Path dir;

    private static TextView view(long[] ids, long[] labels, int[] sequences, Map<String, IntToLongFunction> marks) {
        return new TextView(
                "input_ids",
                ids.length,
                i -> ids[i],
                labels.length / ids.length,
                i -> labels[i],
                i -> sequences[i],
                marks,
                Set.of(9L),
                false);
    }

    private static String html(TextView text, TokenTexts texts, long maxBytes) {
        Html out = new Html(maxBytes);
        new TextHtml(texts).row(out, text);
        return new String(out.toBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void token_kind_hasItsColor() {
        long[] ids = {5, 9, 6, 7, 0};
        long[] labels = {IGNORED, IGNORED, 6, 8, IGNORED};
        TextView text = view(ids, labels, new int[] {0, 0, 0, 1, -1}, Map.of());

        assertThat(text.kind(0)).isEqualTo(TextView.Kind.NOT_TRAINED);
        assertThat(text.kind(1)).isEqualTo(TextView.Kind.IGNORED);
        assertThat(text.kind(2)).isEqualTo(TextView.Kind.TRAINED);
        assertThat(text.kind(3)).isEqualTo(TextView.Kind.REPLACED);
        assertThat(text.kind(4)).isEqualTo(TextView.Kind.PADDING);
        assertThat(html(text, TokenTexts.NONE, 1 << 20))
                .containsSubsequence(
                        "data-sequence=\"0\"",
                        "sequence 0: 3 tokens",
                        "<span class=\"n\" data-i=\"5\" data-l=\"-100\">5</span>",
                        "<span class=\"i\" data-i=\"9\" data-l=\"-100\">9</span>",
                        "<span class=\"t\" data-i=\"6\" data-l=\"6\">6</span>",
                        "data-sequence=\"1\"",
                        "<span class=\"r\" data-i=\"7\" data-l=\"8\">7<sub>8</sub></span>",
                        "data-sequence=\"-1\"",
                        "padding: 1 position<",
                        "<span class=\"p\" data-i=\"0\" data-l=\"-100\">0</span>");
        assertThat(view(ids, new long[0], new int[5], Map.of()).kind(1)).isEqualTo(TextView.Kind.UNLABELED);
    }

    @Test
    void token_severalLabels_isTrainedIfOneIs() {
        TextView text = view(new long[] {5, 6}, new long[] {IGNORED, 7, IGNORED, IGNORED}, new int[2], Map.of());

        assertThat(text.kind(0)).isEqualTo(TextView.Kind.TRAINED);
        assertThat(text.kind(1)).isEqualTo(TextView.Kind.NOT_TRAINED);
        assertThat(html(text, TokenTexts.NONE, 1 << 20)).contains("data-l=\"-100 7\"");
    }

    @Test
    void positions_equal_areOneSpan() {
        long[] ids = {4, 4, 4, 4, 3, 3, 3};
        long[] labels = {4, 4, 4, 4, 3, 3, 3};
        Map<String, IntToLongFunction> marks =
                Map.of("mask", i -> 1, "position_ids", i -> 2L + i, "other", i -> (long) i * i);

        String html = html(view(ids, labels, new int[7], marks), TokenTexts.NONE, 1 << 20);

        assertThat(html)
                .contains("data-i=\"4\" data-l=\"4\" data-n=\"4\"", "mask 1", "position_ids 2 to 8", "other varies");
        assertThat(html.split("data-i=\"3\"", -1)).hasSize(4);
    }

    @Test
    void counts_excludePadding() {
        TextView.Counts counts = new TextView.Counts();
        counts.add(view(
                new long[] {5, 6, 7, 0, 0},
                new long[] {IGNORED, 6, 7, IGNORED, IGNORED},
                new int[] {0, 0, 1, -1, -1},
                Map.of()));
        counts.add(view(new long[] {0}, new long[] {IGNORED}, new int[] {-1}, Map.of()));

        assertThat(List.of(counts.tokens(), counts.trained(), counts.positions(), counts.sequences()))
                .containsExactly(3L, 2L, 6L, 2L);
    }

    @Test
    void data_isEscaped() throws Exception {
        Path file = Files.writeString(
                dir.resolve("tokenizer.json"),
                "{\"added_tokens\": [{\"id\": 6, \"content\": \"</span><script>\"}, {\"id\": 8, \"content\": \"a\\n\\u0007\"}],"
                        + " \"model\": {\"vocab\": {\"\\\"&<u>\": 5}}}");
        TextView text = view(new long[] {5, 6, 8}, new long[] {5, 5, 8}, new int[3], Map.of());

        HtmlSheet sheet = new HtmlSheet("<t>", 1 << 20, TokenTexts.of(file), Map.of("<c>", new TextView.Counts()));
        Supplier<Picture> picture =
                () -> new Picture("\"><i>", Optional.of(new RgbPixels(1, 1, new byte[3])), List.of("<note>"));
        assertThat(sheet.add(new SheetRow(Map.of("<n>", "a&b<v>"), List.of(text), List.of(picture))))
                .isTrue();

        String html = new String(sheet.end(0), StandardCharsets.UTF_8);
        assertThat(html)
                .contains(
                        "<title>&lt;t&gt;</title>",
                        "<th>&lt;c&gt;</th>",
                        "<dt>&lt;n&gt;</dt><dd>a&amp;b&lt;v&gt;</dd>",
                        ">&quot;&amp;&lt;u&gt;</span>",
                        ">&lt;/span&gt;&lt;script&gt;<sub>&quot;&amp;&lt;u&gt;</sub></span>",
                        ">a⏎\n\\u0007</span>",
                        "alt=\"&quot;&gt;&lt;i&gt;\"",
                        "<span>&lt;note&gt;</span>")
                .doesNotContain("<script", "<u>", "<i>", "<t>", "<n>", "<v>", "<c>", "<note>");
    }

    @Test
    void row_tooLong_endsWithTheRest() {
        int positions = 1 << 20;
        TextView text = new TextView(
                "input_ids", positions, i -> i, 1, i -> i, i -> i / (positions / 2), Map.of(), Set.of(), false);

        String html = html(text, TokenTexts.NONE, 100_000);

        assertThat(html.length()).isBetween(90_000, 101_000);
        assertThat(html)
                .containsPattern("positions \\d+ to 524287 are not shown")
                .contains("positions 524288 to 1048575");
    }

    @Test
    void picturesAndRows_aboveLimit_areNamed() {
        HtmlSheet sheet = new HtmlSheet("t", 20_000, TokenTexts.NONE, Map.of());
        Supplier<Picture> small =
                () -> new Picture("small", Optional.of(new RgbPixels(10, 10, new byte[300])), List.of());
        Supplier<Picture> large =
                () -> new Picture("large", Optional.of(new RgbPixels(100, 100, new byte[30_000])), List.of());
        Supplier<Picture> never = () -> {
            throw new AssertionError("a picture behind the last one that fits was made");
        };
        SheetRow row = new SheetRow(Map.of(), List.of(), List.of(small));
        assertThat(sheet.add(row)).isTrue();
        assertThat(sheet.add(new SheetRow(Map.of(), List.of(), List.of(small, large, never))))
                .isTrue();
        assertThat(sheet.add(row)).as("behind the last row that is shown").isFalse();

        assertThat(new String(sheet.end(3), StandardCharsets.UTF_8))
                .contains("1 of 3 pictures of this row are shown", "3 more rows are not shown", "20000 B (--max-bytes)")
                .endsWith("</body></html>\n");
    }
}
