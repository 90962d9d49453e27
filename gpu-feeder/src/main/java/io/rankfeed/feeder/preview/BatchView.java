package io.rankfeed.feeder.preview;

import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.serve.VersionCatalog;
import io.rankfeed.feeder.tensor.ColumnRequest;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.Recipe;
import io.rankfeed.feeder.transform.CanvasMaker;
import io.rankfeed.feeder.transform.DecodeBudget;
import io.rankfeed.feeder.transform.step.Canvas;
import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.schema.failure.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The texts and images of one batch, by row. */
public final class BatchView implements AutoCloseable {
    private final TextViews texts;
    private final @Nullable PictureViews pictures;

    private BatchView(TextViews texts, @Nullable PictureViews pictures) {
        this.texts = texts;
        this.pictures = pictures;
    }

    /**
     * @param rows of the step, with cycles
     * @param log receives the first row of each reason that is fed as zeros or empty
     * @throws ConfigException if no column has text rules or image steps, or the batch may be too large to be held
     */
    public static BatchView of(
            OpenOrder opened,
            String feed,
            int rank,
            int world,
            long step,
            ColumnSelection selection,
            BatchRows rows,
            Consumer<String> log) {
        List<ColumnRequest> made = selection.columns().orElse(List.of()).stream()
                .filter(column -> column.recipe().isPresent())
                .toList();
        if (made.isEmpty()) {
            throw new ConfigException("--config: no column of feed '" + feed
                    + "' has text rules ('from' and 'text') or image steps ('from' and 'steps'); nothing to preview");
        }
        List<Recipe> recipes =
                made.stream().map(column -> column.recipe().orElseThrow()).toList();
        FilledSlot batch = filled(opened, feed, rank, world, step, made, selection, log);
        FilledSlot aside = filled(opened, feed, rank, world, step, aside(recipes), selection, line -> {});
        TextViews texts = new TextViews(batch, aside, rows.size());
        boolean hasImages = recipes.stream().anyMatch(Recipe.Images.class::isInstance);
        int mixed = opened.isMixture() ? opened.versions(opened.feed(feed)).size() : 0;
        return new BatchView(texts, hasImages ? new PictureViews(batch, aside, rows, mixed, CanvasMaker.find()) : null);
    }

    private static FilledSlot filled(
            OpenOrder opened,
            String feed,
            int rank,
            int world,
            long step,
            List<ColumnRequest> columns,
            ColumnSelection selection,
            Consumer<String> log) {
        VersionCatalog catalog = new VersionCatalog(
                opened, new LaneSelection(List.of(rank), world), new GatherPool(0), DecodeBudget.DEFAULT_BYTES, log);
        return FilledSlot.of(
                catalog,
                feed,
                rank,
                world,
                step,
                new ColumnSelection(Optional.of(columns), selection.transformSeed(), false));
    }

    /** Requests the sources of images and the numbers of sequences, which batches do not have. */
    private static List<ColumnRequest> aside(List<Recipe> recipes) {
        List<ColumnRequest> columns = new ArrayList<>();
        recipes.stream()
                .filter(Recipe.Images.class::isInstance)
                .map(recipe -> ((Recipe.Images) recipe).pipeline().source())
                .distinct()
                .forEach(source -> columns.add(ColumnRequest.of(source)));
        int texts = 0;
        for (Recipe recipe : recipes) {
            if (recipe instanceof Recipe.Text text) {
                columns.add(TextViews.numbered(texts++, text));
            }
        }
        return columns;
    }

    /**
     * Returns the texts and pictures of a row.
     *
     * @param row index in the batch
     * @param rowId its id, on which the random numbers of image steps depend
     * @param member of a mixture, by its number, on which they depend too; 0 in a version
     */
    public SheetRow row(int row, long rowId, int member, Map<String, String> caption) {
        return new SheetRow(caption, texts.row(row), pictures == null ? List.of() : pictures.row(row, rowId, member));
    }

    /** The totals of each column of tokens over the batch, by column name. */
    public Map<String, TextView.Counts> counts() {
        return texts.counts();
    }

    /**
     * Returns the canvas for drawing a sheet.
     *
     * @throws ConfigException if the feed has no images
     */
    public Canvas canvas() {
        if (pictures == null) {
            throw new ConfigException("a feed of texts has no images for a .png; name an --out that ends in .html");
        }
        return pictures.canvas();
    }

    @Override
    public void close() {
        if (pictures != null) {
            pictures.close();
        }
    }
}
