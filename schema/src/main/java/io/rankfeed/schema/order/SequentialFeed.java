package io.rankfeed.schema.order;

/**
 * A feed of every row once, in the table's order.
 *
 * @param steps as many as the rows need: the last may be short
 */
public record SequentialFeed(String name, int lanes, int batch, long rows, long steps) implements Feed {
    /** @throws IllegalArgumentException if the numbers contradict each other */
    public SequentialFeed {
        Rules.requireFeed(name, lanes, batch);
        Rules.require(
                rows >= 0 && steps == rows / batch + (rows % batch == 0 ? 0 : 1),
                "feed '" + name + "': " + steps + " steps of " + batch + " are not what " + rows + " rows need");
    }

    @Override
    public long stepsPerPass() {
        return steps;
    }
}
