package io.rankfeed.spark.init;

import com.fasterxml.jackson.databind.node.TextNode;
import io.rankfeed.job.SourceSection.Kind;
import io.rankfeed.schema.failure.Printable;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.init.DraftColumn.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A draft as the text of a job file, with comments. */
final class JobText {
    private static final int REMARK_AT = 60;
    private static final int MAX_TEXT_BYTES = 2048;
    private static final int BATCH = 64;
    private static final int LANES = 8;
    private static final int MIN_STEPS = 16;
    private static final double TRAINING_SHARE = 0.75;

    private final Draft draft;
    private final StringBuilder text = new StringBuilder();

    private JobText(Draft draft) {
        this.draft = draft;
    }

    /**
     * @param root where artifacts go
     * @param file the job file's own name, for its comments
     */
    static String of(Draft draft, String root, String file) {
        JobText job = new JobText(draft);
        job.head(root, file);
        if (draft.inPlace()) {
            job.inPlace();
        } else {
            job.prepare();
        }
        job.sample();
        return job.text.toString();
    }

    private void head(String root, String file) {
        TableLocation location = draft.location();
        text.append(SchemaLine.of("job"));
        line(
                "# A first draft by rankfeed init, of ",
                String.format(Locale.ROOT, "%,d", draft.profile().rows()),
                " rows of ",
                location.words(),
                ".");
        line("# All keys: rankfeed docs job-file. Try it: rankfeed pipeline ", file, " --dry-run");
        line("dataset: ", location.name());
        line("root: ", quoted(root), "    # where tables, plans and versions go; any Hadoop path");
        line("");
        line("sources:");
        line("  ", location.name(), ":");
        line("    ", location.kind().key(), ": ", quoted(location.words()));
        if (!draft.schema().isEmpty()) {
            line("    schema: ", quoted(draft.schema()));
        }
        line("");
    }

    private void inPlace() {
        line("# Columns:");
        draft.columns()
                .forEach(column -> line(
                        "#   ",
                        column.name(),
                        ": ",
                        column.remark(draft.profile().rows())));
        line(
                "# Rows stay in their files, which must not change during a run. To store them again, checked one by one:");
        line(
                "# prepare: {select: {from: ",
                draft.location().name(),
                "}",
                draft.key().isEmpty() ? "" : ", key: [" + String.join(", ", draft.key()) + "]",
                ", on-bad-row: quarantine}");
        line("prepare: none");
        line("");
    }

    private void prepare() {
        line("prepare:");
        line("  select:");
        line("    from: ", draft.location().name());
        line("    columns:");
        if (draft.location().kind() == Kind.BINARY) {
            files();
        } else {
            draft.columns().forEach(this::column);
        }
        if (!draft.part().isEmpty()) {
            item(draft.part() + " AS " + draft.partColumn(), "by a hash: a row stays in its part when others come");
        }
        if (draft.location().kind() == Kind.BINARY) {
            line("    where: ", quoted("path rlike '" + TableLocation.IMAGES.replace("\\", "\\\\") + "'"));
        }
        if (!draft.key().isEmpty()) {
            line("  key: [", String.join(", ", draft.key()), "]");
        } else {
            line("  # key: [id]    # no column is different in each row: rows are known by their file and row number");
        }
        List<DraftColumn> texts = draft.of(Use.TEXT);
        if (!texts.isEmpty()) {
            line("  tensors:");
            texts.forEach(column -> line("    ", column.name(), "_ids: {dtype: uint8}"));
            line(
                    "  # Bytes stand in for tokens. With a model's tokenizer.json write rf_tokenize('model', `",
                    texts.get(0).profile().name(),
                    "`) above, and:");
            line("  # tokenizers: {model: {file: /models/tokenizer.json}}");
        }
        labels();
        line("  on-bad-row: quarantine    # rows that do not fit are counted and kept next to the table, at most 1 %");
        line("");
    }

    /** Writes the columns of a folder of images: if every path has a folder, the first folder of a path is the label. */
    private void files() {
        item("path", "");
        if (draft.hasLabelFolders()) {
            item("split(path, '/')[0] AS label", "the folder of the image");
            item("rf_label('label', split(path, '/')[0]) AS label_id", "its number");
        }
        item("content AS image", "as it is; the feed file decodes it");
    }

    private void column(DraftColumn column) {
        if (column.use() == Use.LEFT_OUT) {
            line(
                    "      # ",
                    column.profile().name(),
                    ": ",
                    column.profile().type().simpleString(),
                    " cannot be a tensor; convert it in SQL");
            return;
        }
        item(column.selected(), column.remark(draft.profile().rows()));
        String given = Columns.quoted(column.profile().name());
        if (column.use() == Use.TEXT) {
            item(
                    String.format(
                            Locale.ROOT,
                            "substring(encode(coalesce(%s, ''), 'UTF-8'), 1, %d) AS %s_ids",
                            given,
                            MAX_TEXT_BYTES,
                            column.name()),
                    "");
        } else if (isLabel(column)) {
            item(
                    String.format(
                            Locale.ROOT,
                            "rf_label('%s', coalesce(%s, '')) AS %s_id",
                            column.name(),
                            given,
                            column.name()),
                    "numbers that stay when the table grows");
        } else if (column.isConversation()) {
            line("      # conversations: rf_chat makes tokens and answers of them; see rankfeed docs functions");
        }
    }

    private static boolean isLabel(DraftColumn column) {
        return column.use() == Use.LABEL && column.name().matches("[A-Za-z].*");
    }

    private void labels() {
        String source = draft.location().name();
        List<String> lines = new ArrayList<>();
        if (draft.hasLabelFolders()) {
            lines.add("    label: {from: " + source + ", column: \"split(path, '/')[0]\"}");
        }
        draft.of(Use.LABEL).stream()
                .filter(JobText::isLabel)
                .forEach(column -> lines.add("    " + column.name() + ": {from: " + source + ", column: "
                        + quoted("coalesce(" + Columns.quoted(column.profile().name()) + ", '')")
                        + "}"));
        if (!lines.isEmpty()) {
            line("  labels:");
            lines.forEach(this::line);
        }
    }

    private void sample() {
        long rows = (long) (draft.profile().rows() * (draft.parts().isEmpty() ? 1 : TRAINING_SHARE));
        // Rows that fill no batch are left out of an epoch: few of a small table.
        int batch = (int) Math.min(BATCH, Long.highestOneBit(Math.max(1, rows / MIN_STEPS)));
        int lanes = Math.min(LANES, batch);
        String train = draft.parts().stream()
                .filter(TableProfile::isTraining)
                .findFirst()
                .orElse("");
        line("sample:");
        line("  train:");
        if (!train.isEmpty()) {
            line("    where: ", quoted(draft.isOf(train)));
        }
        line("    batch: ", Integer.toString(batch), "       # rows of a step, over all ranks");
        line("    lanes: ", Integer.toString(lanes), "        # every number of ranks that divides it can train");
        line("    epochs: 1");
        line("    seed: 42");
        if (!draft.strata().isEmpty()) {
            line("    # Equal shares of values; candidates: ", String.join(", ", draft.strata()));
            line("    # strata: [{column: ", draft.strata().get(0), "}]");
            line("    # balance: [", draft.strata().get(0), "]");
            line("    # on-shortage: repeat");
            line(
                    "    # pool: all         # store every row, for plans over the version; leave it out for tables over 100 GB");
        }
        String other = draft.parts().stream()
                .filter(part -> part.matches("(?i)valid(ation)?|val|dev|test|eval"))
                .sorted((a, b) -> Boolean.compare(a.matches("(?i)test"), b.matches("(?i)test")))
                .findFirst()
                .orElse("");
        if (!other.isEmpty()) {
            line("  valid:");
            line("    kind: sequential    # every row once, in order");
            line("    where: ", quoted(draft.isOf(other)));
            line("    batch: ", Integer.toString(batch));
            line("    lanes: ", Integer.toString(lanes));
        }
        boolean hasNulls = draft.profile().columns().stream()
                .anyMatch(column -> column.name().equals(draft.profile().split()) && column.nulls() > 0);
        String left = Stream.concat(
                        draft.parts().stream().filter(part -> !part.equals(train) && !part.equals(other)),
                        hasNulls ? Stream.of("null") : Stream.empty())
                .collect(Collectors.joining(", "));
        if (!left.isEmpty()) {
            line("  # parts without a feed: ", left);
        }
    }

    private void item(String expression, String remark) {
        String item = "      - " + quoted(expression);
        line(remark.isEmpty() ? item : String.format(Locale.ROOT, "%-" + REMARK_AT + "s # %s", item, remark));
    }

    /** Names in comments come from data: they must not begin a line of their own. */
    private void line(String... words) {
        text.append(Printable.line(String.join("", words))).append('\n');
    }

    /** A YAML scalar, in the quotes that need no escape where there are such. */
    static String quoted(String value) {
        boolean isPlain =
                value.matches("[A-Za-z_/.][A-Za-z0-9_/.-]*") && !value.matches("(?i)true|false|null|yes|no|on|off");
        if (isPlain) {
            return value;
        }
        if (!Printable.line(value).equals(value)) {
            // A JSON string is a YAML string.
            return Printable.line(CanonicalJson.compactText(TextNode.valueOf(value)));
        }
        boolean isDouble = value.contains("'") && !value.contains("\"") && !value.contains("\\");
        return isDouble ? "\"" + value + "\"" : "'" + value.replace("'", "''") + "'";
    }
}
