package io.rankfeed.schema.run;

import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Plans over versions of a dataset {@code code}, as files.
 *
 * @param folder {@code orders}
 */
record StoredOrders(Path folder) {
    static final String VERSION = "fedcba9876543210";

    static Order order(long seed, String version) {
        Member member =
                new Member("train", "code", version, "train", 4, RowCycles.SHUFFLED, List.of(new Stratum("a", 40)));
        Segment segment = new Segment(0, 5, 0, List.of(20L), List.of(0L), 1, 2);
        TrainFeed train =
                new TrainFeed("train", seed, 2, 8, List.of(0L), RowOrder.GLOBAL, List.of(member), List.of(segment));
        return OrderId.identified(new Order("code", OrderId.NONE, Optional.empty(), List.of(train)));
    }

    /** Writes a plan, and returns its id. */
    String write(long seed, String version) {
        Order order = order(seed, version);
        write(order.plan() + "/" + Order.FILE_NAME, OrderJson.toBytes(order));
        return order.plan();
    }

    void name(String name, String id) {
        write(IdFiles.file(name), OrderName.FILES.toBytes(id));
    }

    void write(String path, byte[] bytes) {
        Path file = folder.resolve(path);
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
