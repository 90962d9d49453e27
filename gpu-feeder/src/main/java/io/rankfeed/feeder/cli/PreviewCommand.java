package io.rankfeed.feeder.cli;

import io.rankfeed.feeder.batch.RankOrder;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.explain.LocatedRows;
import io.rankfeed.feeder.explain.StepOption;
import io.rankfeed.feeder.plan.LocalOrder;
import io.rankfeed.feeder.preview.BatchView;
import io.rankfeed.feeder.preview.HtmlSheet;
import io.rankfeed.feeder.preview.LabelNames;
import io.rankfeed.feeder.preview.PngSheet;
import io.rankfeed.feeder.preview.SheetRow;
import io.rankfeed.feeder.preview.TokenTexts;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.order.Feed;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows one batch: each text and image as the trainer gets it, images also as they are stored. */
@Command(
        name = "preview",
        sortOptions = false,
        customSynopsis = "rankfeed preview [OPTIONS] --config=FEED VERSION-DIR",
        description =
                "Show one batch of a feed file, by default the first, as a page: tokens with their ids, labels, masks"
                        + " and sequences, images before and after the steps with what the steps drew, row ids, values"
                        + " and source rows. Tokens and pixels are those of the batch.",
        exitCodeList = {"0:drawn"},
        footer = {
            "  rankfeed preview VERSION-DIR --config conf/feeds/images-shopping.yaml --step 10",
            "  rankfeed preview VERSION-DIR --config conf/feeds/chat-sft.yaml --tokenizer model/tokenizer.json",
            "  rankfeed preview VERSION-DIR --config feed.yaml --rows 8 --out sheet.png"
        })
public final class PreviewCommand implements Callable<Integer> {
    private static final Set<String> CACHE_COLUMNS = Set.of("index", "lane", "ordinal", "file");
    /** The last part of a row's address; the columns of the version come after it. */
    private static final String SOURCE_ROW = "source_row";

    @Spec
    private CommandSpec spec;

    @Mixin
    private LocalOrder version = new LocalOrder();

    @Option(
            names = "--config",
            required = true,
            paramLabel = "FILE",
            description = "A feed file with texts or image steps.")
    private Path config = Path.of("");

    @Option(names = "--feed", paramLabel = "NAME", description = "The feed. Default: ${DEFAULT-VALUE}.")
    private String feedName = "train";

    @Mixin
    private StepOption stepOption = new StepOption();

    @Option(names = "--rank", paramLabel = "N", description = "The global rank. Default: ${DEFAULT-VALUE}.")
    private int rank;

    @Option(names = "--world", paramLabel = "N", description = "Number of ranks. Default: ${DEFAULT-VALUE}.")
    private int world = 1;

    @Option(names = "--rows", paramLabel = "N", description = "At most this many rows. Default: ${DEFAULT-VALUE}.")
    private int maxRows = 32;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "A page as .html, or only its images as .png. Default: ${DEFAULT-VALUE}.")
    private Path file = Path.of("preview.html");

    @Option(
            names = "--tokenizer",
            paramLabel = "PATH",
            description =
                    "The tokenizer.json of the model, or its folder: show the text of tokens instead of their ids."
                            + " Default: none.")
    private @Nullable Path tokenizer;

    @Option(
            names = "--max-bytes",
            paramLabel = "SIZE",
            description = "End the page after about this size, and name what is left out. Default: ${DEFAULT-VALUE}.",
            converter = FeedFlags.SizeConverter.class)
    private ByteSize maxBytes = new ByteSize(64L << 20);

    @Override
    public Integer call() {
        boolean isPng = file.toString().endsWith(".png");
        if (!isPng && !file.toString().endsWith(".html")) {
            throw new ConfigException("--out " + file + " must end in .html or .png");
        }
        OpenOrder opened = version.open("preview");
        Feed feed = opened.feed(feedName);
        RankOrder order = RankOrder.of(feed, rank, world);
        long step = stepOption.ofRun(feed);
        ColumnSelection columns = FeedConfig.read(config).columns().getOrDefault(feedName, ColumnSelection.all());
        TokenTexts texts = tokenizer == null ? TokenTexts.NONE : TokenTexts.of(tokenizer);
        PrintWriter out = spec.commandLine().getOut();
        BatchRows rows = BatchRows.withCycles(order.rows());
        order.fill(step, rows);
        try (BatchView batch = BatchView.of(opened, feedName, rank, world, step, columns, rows, out::println);
                LaneCache cache = opened.map(feedName, new LaneSelection(List.of(rank), world))) {
            List<SheetRow> sheet = rows(batch, opened, feed, cache, rows);
            String title = "feed " + feedName + ", step " + step + " of the run, rank " + rank + " of " + world + ", "
                    + opened.words();
            int shown = sheet.size();
            if (isPng) {
                write(PngSheet.of(title, sheet, batch.canvas(), maxBytes.bytes()));
            } else {
                HtmlSheet page = new HtmlSheet(title, maxBytes.bytes(), texts, batch.counts());
                shown = (int) sheet.stream().takeWhile(page::add).count();
                write(page.end(sheet.size() - shown));
            }
            out.println(file + ": " + shown + " of " + rows.size() + " rows");
            out.flush();
        }
        return 0;
    }

    private List<SheetRow> rows(BatchView batch, OpenOrder opened, Feed feed, LaneCache cache, BatchRows rows) {
        List<String> shown = opened.columns().schema().fields().stream()
                .filter(field -> field.shape().rank() == 0 && field.kind() != Field.Kind.RAGGED)
                .map(Field::name)
                .toList();
        LocatedRows located = new LocatedRows(opened, feed, cache, shown);
        List<LabelNames> labels =
                opened.versions(feed).stream().map(LabelNames::of).toList();
        return IntStream.range(0, Math.min(rows.size(), maxRows))
                .mapToObj(row -> {
                    String line = located.line(rows, row);
                    long rowId = Long.parseLong(line.substring(0, line.indexOf('\t')));
                    int member = located.member(rows, row);
                    return batch.row(row, rowId, member, caption(located.heads(), line, labels.get(member)::named));
                })
                .toList();
    }

    /**
     * Returns the values that identify the row, without its address in the cache, which {@code explain} shows.
     *
     * @param named returns the value of a column with its name
     */
    static Map<String, String> caption(String heads, String line, BinaryOperator<String> named) {
        String[] names = heads.split("\t", -1);
        String[] values = line.split("\t", -1);
        int columns = List.of(names).indexOf(SOURCE_ROW) + 1;
        Map<String, String> caption = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            if (i >= columns) {
                // A column of the version may have the name of a part of the address.
                String name = caption.containsKey(names[i]) ? "column " + names[i] : names[i];
                caption.put(name, named.apply(names[i], values[i]));
            } else if (!CACHE_COLUMNS.contains(names[i])) {
                caption.put(names[i], values[i]);
            }
        }
        return caption;
    }

    private void write(byte[] bytes) {
        try {
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("--out " + file + " cannot be written", file, e), e);
        }
    }
}
