package io.rankfeed.feeder.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.feeder.batch.BatchLengths;
import io.rankfeed.feeder.batch.RankOrder;
import io.rankfeed.feeder.batch.RowContext;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.transform.Rejections;
import io.rankfeed.report.Report;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The tokens and the padding of the batches of a feed, by world size.
 *
 * @param rejected rows of the whole run that break a rule, by column and reason
 */
record LengthReport(String feed, long steps, List<World> worlds, Map<String, Long> rejected) {
    /**
     * The batches at one world size.
     *
     * @param tokens of the whole run
     * @param paddedTokens tokens and padding of the whole run
     * @param maxTokens largest number of tokens of a step, over all ranks
     * @param worstPadding share of padding of the step that has most
     * @param imbalance most tokens of a rank by the mean of the ranks, mean over the steps; 1 where all have the same
     */
    record World(int ranks, long tokens, long paddedTokens, long maxTokens, double worstPadding, double imbalance) {
        double padding() {
            return paddedTokens == 0 ? 0 : 1 - (double) tokens / paddedTokens;
        }
    }

    private static final int DIGITS = 6;

    /**
     * @param rejections receives the rows that break a rule, once each time that one is fed
     * @throws ConfigException if no column of the feed is padded or a text
     */
    static LengthReport of(
            OpenOrder opened,
            String feed,
            ColumnSelection columns,
            List<Integer> worlds,
            LaneCache cache,
            GatherPool pool,
            Rejections rejections) {
        ColumnSelection measured = columns.ofLengths(opened.columns().schema());
        if (measured.columns().orElseThrow().isEmpty()) {
            throw new ConfigException(
                    "feed '" + feed + "' has no padded column and no text; there is no padding to measure");
        }
        List<World> found = new ArrayList<>();
        long steps = RankOrder.of(opened.feed(feed), 0, 1).steps();
        for (int world : worlds) {
            // The rows are the same at every world size: they are counted at the first.
            RowContext context = found.isEmpty()
                    ? new RowContext(RowContext.withoutImages().workers(), rejections)
                    : RowContext.withoutImages();
            List<BatchLengths> ranks = IntStream.range(0, world)
                    .mapToObj(rank -> {
                        RankOrder order = RankOrder.of(opened.feed(feed), rank, world);
                        ColumnPlan plan = ColumnPlan.of(opened.columns(), order.rows(), measured, 0);
                        return new BatchLengths(order, cache, plan, pool, context);
                    })
                    .toList();
            int tensors = ColumnPlan.of(
                            opened.columns(),
                            RankOrder.of(opened.feed(feed), 0, world).rows(),
                            measured,
                            0)
                    .tensors()
                    .size();
            found.add(measure(ranks, steps, new SlotSizes(tensors)));
        }
        return new LengthReport(feed, steps, found, rejections.counts());
    }

    private static World measure(List<BatchLengths> ranks, long steps, SlotSizes sizes) {
        long tokens = 0;
        long paddedTokens = 0;
        long maxTokens = 0;
        double worstPadding = 0;
        double imbalance = 0;
        for (long step = 0; step < steps; step++) {
            long stepTokens = 0;
            long stepPaddedTokens = 0;
            long maxOfRank = 0;
            for (BatchLengths rank : ranks) {
                rank.measure(step, sizes);
                stepTokens += sizes.tokens();
                stepPaddedTokens += sizes.paddedTokens();
                maxOfRank = Math.max(maxOfRank, sizes.tokens());
            }
            tokens += stepTokens;
            paddedTokens += stepPaddedTokens;
            maxTokens = Math.max(maxTokens, stepTokens);
            worstPadding =
                    Math.max(worstPadding, stepPaddedTokens == 0 ? 0 : 1 - (double) stepTokens / stepPaddedTokens);
            imbalance += stepTokens == 0 ? 1 : (double) maxOfRank * ranks.size() / stepTokens;
        }
        return new World(
                ranks.size(), tokens, paddedTokens, maxTokens, worstPadding, steps == 0 ? 1 : imbalance / steps);
    }

    /** Prints the rejected rows first, because the table measures them as empty. */
    void describe(Report report) {
        World first = worlds.get(0);
        double mean = steps == 0 ? 0 : (double) first.tokens() / steps;
        report.answer(String.format(
                Locale.ROOT,
                "%s: %s, %,.0f tokens a step, at most %,d",
                feed,
                Plural.counted(steps, "step"),
                mean,
                first.maxTokens()));
        rejected.forEach((reason, times) -> report.answer(String.format(
                Locale.ROOT, "%s: rejected and fed empty: %s, %s", feed, reason, Plural.counted(times, "time"))));
        report.answer(String.format(
                Locale.ROOT,
                "%s: padding by ranks: %s",
                feed,
                byRanks(world -> String.format(Locale.ROOT, "%.1f %%", 100 * world.padding()))));
        report.answer(String.format(
                Locale.ROOT,
                "%s: imbalance by ranks: %s",
                feed,
                byRanks(world -> String.format(Locale.ROOT, "%.2f", world.imbalance()))));
        Report.Table table = report.table(
                "batches of " + feed,
                "world",
                "tokens",
                "tokensPerStepMean",
                "tokensPerStepMost",
                "padding",
                "worstPadding",
                "imbalance");
        for (World world : worlds) {
            table.add(
                    (long) world.ranks(),
                    world.tokens(),
                    mean,
                    world.maxTokens(),
                    world.padding(),
                    world.worstPadding(),
                    world.imbalance());
        }
    }

    private String byRanks(Function<World, String> value) {
        return Report.listed(worlds.stream()
                .map(world -> world.ranks() + ": " + value.apply(world))
                .toList());
    }

    ObjectNode toJson() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("steps", steps);
        ObjectNode counts = node.putObject("rejected");
        rejected.forEach(counts::put);
        ArrayNode list = node.putArray("worlds");
        for (World world : worlds) {
            list.addObject()
                    .put("ranks", world.ranks())
                    .put("tokens", world.tokens())
                    .put("places", world.paddedTokens())
                    .put("mostTokens", world.maxTokens())
                    .put("padding", decimal(world.padding()))
                    .put("worstPadding", decimal(world.worstPadding()))
                    .put("imbalance", decimal(world.imbalance()));
        }
        return node;
    }

    /** Formats a fraction as text, because canonical JSON has only integers. */
    private static String decimal(double value) {
        return BigDecimal.valueOf(value)
                .setScale(DIGITS, RoundingMode.HALF_EVEN)
                .toPlainString();
    }
}
