package io.rankfeed.sampling.order;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Builds the golden files that every implementation of the order is compared with. */
final class OrderVectors {
    static final int CONFIGURATIONS = 1000;
    private static final long SEED = 20_260_101;

    private OrderVectors() {}

    static ObjectNode vectors() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.set("primitives", primitives());
        ArrayNode orders = json.putArray("orders");
        for (Map.Entry<String, TrainFeed> entry : GoldenOrders.all().entrySet()) {
            TrainFeed order = entry.getValue();
            ObjectNode one = orders.addObject();
            one.put("name", entry.getKey());
            one.set("order", OrderJson.of(order));
            ArrayNode batches = one.putArray("batches");
            LongStream.of(0, 1, order.stepsPerEpoch() - 1L, order.steps() * 777 / 1000, order.steps() - 1)
                    .distinct()
                    .sorted()
                    .filter(step -> step < order.steps())
                    .forEach(
                            step -> Worlds.of(order.lanes()).forEach(world -> addBatches(batches, order, step, world)));
        }
        ArrayNode sequential = json.putArray("sequential");
        for (SequentialOrder order : List.of(
                new SequentialOrder(4, 8, 21),
                new SequentialOrder(4, 8, 24),
                new SequentialOrder(6, 6, 7),
                new SequentialOrder(1, 5, 3))) {
            addSequential(sequential.addObject(), order);
        }
        return json;
    }

    static List<ObjectNode> configurations() {
        RandomOrders orders = new RandomOrders(SEED);
        return LongStream.range(0, CONFIGURATIONS)
                .mapToObj(i -> configuration(orders.next()))
                .toList();
    }

    static List<ObjectNode> thresholds() {
        return ThresholdOrders.all().stream().map(OrderVectors::configuration).toList();
    }

    static ObjectNode configuration(TrainFeed order) {
        ObjectNode one = JsonNodeFactory.instance.objectNode();
        one.set("order", OrderJson.of(order));
        ObjectNode digests = one.putObject("digests");
        for (int world : Worlds.of(order.lanes())) {
            ArrayNode ranks = digests.putArray(Integer.toString(world));
            for (int rank = 0; rank < world; rank++) {
                ranks.add(OrderDigest.of(order, rank, world));
            }
        }
        return one;
    }

    private static ObjectNode primitives() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode mix = json.putArray("mix");
        for (long z : new long[] {0, 1, 42, -1, Long.MIN_VALUE}) {
            mix.addObject().put("z", hex(z)).put("mix", hex(Mix.mix(z))).put("stir", hex(Mix.stir(z)));
        }
        ArrayNode keys = json.putArray("key");
        for (long[] words : new long[][] {{1, 0, 0, 0}, {9}, {3, 7}, {4, 123456789012L, 3, 8}, {5, 17, 2}}) {
            for (long seed : new long[] {42, -1}) {
                ObjectNode one = keys.addObject().put("seed", seed);
                LongStream.of(words).forEach(one.putArray("words")::add);
                one.put("key", hex(Mix.key(seed, words)));
            }
        }
        ArrayNode perms = json.putArray("perm");
        for (long n : new long[] {1, 2, 10, 63, 64, 100, 1000, 4_000_000_000L, (1L << 40) + 9}) {
            ObjectNode one = perms.addObject().put("n", n).put("key", hex(Mix.key(42, 9)));
            ArrayNode images = one.putArray("images");
            LongStream.range(0, Math.min(n, 10)).forEach(x -> images.add(Permutation.at(n, Mix.key(42, 9), x)));
        }
        ArrayNode sums = json.putArray("floorSum");
        for (long[] a :
                new long[][] {{7, 10, 3, 4}, {0, 5, 3, 4}, {300, 300, 89, 1499}, {999_999, 1_000_003, 589, 77}}) {
            sums.addObject()
                    .put("n", a[0])
                    .put("m", a[1])
                    .put("a", a[2])
                    .put("b", a[3])
                    .put("sum", FloorSum.sum(a[0], a[1], a[2], a[3]));
        }
        ArrayNode multipliers = json.putArray("multiplier");
        for (int[] a : new int[][] {{1, 4}, {2, 4}, {3, 2}, {12, 4}, {1000, 8}, {12345, 4}, {1_000_000, 64}}) {
            multipliers.addObject().put("steps", a[0]).put("lanes", a[1]).put("m", Multiplier.choose(a[0], a[1]));
        }
        return json;
    }

    private static void addBatches(ArrayNode batches, TrainFeed order, long step, int world) {
        for (int rank = 0; rank < world; rank++) {
            ArrayNode rows = batches.addObject()
                    .put("step", step)
                    .put("rank", rank)
                    .put("world", world)
                    .putArray("rows");
            for (OrderLookup.Row row : Rows.batch(order, step, rank, world)) {
                rows.addArray().add(row.stratum()).add(row.index());
            }
        }
    }

    private static void addSequential(ObjectNode one, SequentialOrder order) {
        one.set("order", OrderJson.of(order));
        ArrayNode batches = one.putArray("batches");
        BatchRows out = new BatchRows(order.batch());
        for (int world : Worlds.of(order.lanes())) {
            for (long step = 0; step < order.steps(); step++) {
                for (int rank = 0; rank < world; rank++) {
                    order.fill(step, rank, world, out);
                    ArrayNode rows = batches.addObject()
                            .put("step", step)
                            .put("rank", rank)
                            .put("world", world)
                            .putArray("rows");
                    Rows.of(out).forEach(row -> rows.add(row.index()));
                }
            }
        }
    }

    private static String hex(long word) {
        return "0x" + String.format("%016x", word);
    }
}
