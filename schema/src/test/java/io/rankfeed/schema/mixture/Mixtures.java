package io.rankfeed.schema.mixture;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;
import java.util.Map;

/** A mixture for tests. */
public final class Mixtures {
    private Mixtures() {}

    /** Two members, of which one lacks a column. */
    public static Mixture small() {
        TrainFeed feed = new TrainFeed(
                "train",
                7,
                2,
                4,
                2,
                3,
                List.of(),
                EpochMode.STREAM,
                RowOrder.GLOBAL,
                1,
                List.of(
                        new Member(
                                "math",
                                "numbers",
                                "00000000000000aa",
                                "train",
                                4,
                                RowCycles.LIST,
                                List.of(new Stratum("all", 5))),
                        new Member(
                                "web",
                                "pages",
                                "00000000000000bb",
                                "all",
                                6,
                                RowCycles.SHUFFLED,
                                List.of(new Stratum("en", 100), new Stratum("fr", 0)))),
                List.of(new Segment(0, 5, 0, List.of(4L, 6L, 0L), List.of(0L, 0L, 0L), 2, 0)));
        SampleSchema columns = new SampleSchema(List.of(
                new Field("text", DType.STRING, Shape.scalar(), false),
                new Field("score", DType.FLOAT32, Shape.of(2), true)));
        return Mixture.of(feed, columns, Map.of("score", new FillValue(List.of("0.5"))));
    }
}
