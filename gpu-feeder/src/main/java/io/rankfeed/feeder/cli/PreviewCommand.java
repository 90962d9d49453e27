package io.rankfeed.feeder.cli;

import io.rankfeed.feeder.batch.RankOrder;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.preview.HtmlSheet;
import io.rankfeed.feeder.preview.PngSheet;
import io.rankfeed.feeder.preview.SheetRow;
import io.rankfeed.feeder.remote.VersionPlace;
import io.rankfeed.feeder.serve.VersionCatalog;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.transform.CanvasMaker;
import io.rankfeed.feeder.transform.DecodeBudget;
import io.rankfeed.feeder.transform.step.Canvas;
import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.order.Feed;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Draws a contact sheet of one batch: each image as it is stored and as the trainer gets it. */
@Command(
        name = "preview",
        sortOptions = false,
        customSynopsis = "rankfeed preview [OPTIONS] --config=FEED VERSION-DIR",
        description =
                "Draw a contact sheet of one batch: images before and after the steps of a feed file, with row ids,"
                        + " values and source rows. The images after the steps are those of the batch, pixel for pixel.",
        exitCodeList = {"0:drawn"},
        footer = {
            "  rankfeed preview VERSION-DIR --config conf/feeds/images-shopping.yaml --step 10",
            "  rankfeed preview VERSION-DIR --config feed.yaml --rows 8 --out sheet.png"
        })
public final class PreviewCommand implements Callable<Integer> {
    private static final Set<String> PLACES = Set.of("index", "lane", "ordinal", "file");

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "VERSION-DIR", description = FeedFlags.VERSION)
    private String words = "";

    @Option(names = "--config", required = true, paramLabel = "FILE", description = "A feed file with image steps.")
    private Path config = Path.of("");

    @Option(names = "--feed", paramLabel = "NAME", description = "The feed. Default: ${DEFAULT-VALUE}.")
    private String feedName = "train";

    @Option(
            names = "--step",
            paramLabel = "N",
            description = "The step, counted over all epochs. Default: ${DEFAULT-VALUE}.")
    private long step;

    @Option(names = "--rank", paramLabel = "N", description = "The global rank. Default: ${DEFAULT-VALUE}.")
    private int rank;

    @Option(names = "--world", paramLabel = "N", description = "Number of ranks. Default: ${DEFAULT-VALUE}.")
    private int world = 1;

    @Option(names = "--rows", paramLabel = "N", description = "At most this many rows. Default: ${DEFAULT-VALUE}.")
    private int most = 32;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "The sheet, as .html or .png. Default: ${DEFAULT-VALUE}.")
    private Path file = Path.of("preview.html");

    @Override
    public Integer call() {
        boolean isPng = file.toString().endsWith(".png");
        if (!isPng && !file.toString().endsWith(".html")) {
            throw new ConfigException("--out " + file + " must end in .html or .png");
        }
        OpenVersion version = OpenVersion.open(VersionPlace.local(words, "preview"));
        Feed feed = version.feed(feedName);
        RankOrder order = RankOrder.of(feed, rank, world);
        if (step < 0 || step >= order.steps()) {
            throw new ConfigException("--step " + step + " does not exist; steps are 0 to " + (order.steps() - 1));
        }
        ColumnSelection columns = FeedConfig.read(config).columns().getOrDefault(feedName, ColumnSelection.all());
        PrintWriter out = spec.commandLine().getOut();
        LaneSelection lanes = new LaneSelection(List.of(rank), world);
        VersionCatalog catalog =
                new VersionCatalog(version, lanes, new GatherPool(0), DecodeBudget.DEFAULT_BYTES, out::println);
        try (Canvas canvas = CanvasMaker.find().make();
                LaneCache cache = version.map(feedName, lanes)) {
            PreviewBatch batch = new PreviewBatch(catalog, version.schema(), feedName, columns);
            BatchRows rows = new BatchRows(order.rows());
            order.fill(step, rows);
            batch.fill(rank, world, step);
            List<String> shown = version.schema().fields().stream()
                    .filter(field -> field.shape().rank() == 0 && field.kind() != Field.Kind.RAGGED)
                    .map(Field::name)
                    .toList();
            LocatedRows located = new LocatedRows(version, feed, cache, shown);
            List<SheetRow> sheet = new ArrayList<>();
            for (int i = 0; i < Math.min(rows.size(), most); i++) {
                sheet.add(new SheetRow(
                        caption(located.heads(), located.line(rows, i)), batch.before(i, canvas), batch.after(i)));
            }
            String title = "feed " + feedName + ", step " + step + ", rank " + rank + " of " + world + ", version "
                    + version.manifest().id();
            write(
                    isPng
                            ? PngSheet.of(title, sheet, canvas)
                            : HtmlSheet.of(title, sheet).getBytes(StandardCharsets.UTF_8));
            out.println(file + ": " + sheet.size() + " of " + rows.size() + " rows");
            out.flush();
        }
        return 0;
    }

    /** What identifies the row; where it is in the cache is for {@code explain}. */
    private static Map<String, String> caption(String heads, String line) {
        String[] names = heads.split("\t", -1);
        String[] values = line.split("\t", -1);
        Map<String, String> caption = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            if (!PLACES.contains(names[i])) {
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
