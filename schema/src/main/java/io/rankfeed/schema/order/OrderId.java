package io.rankfeed.schema.order;

import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The id of a plan over versions: 16 digits of the SHA-256 of its file, in which the id is zeros (docs/format/plan.md, section 10.1). So a
 * reader knows whether a byte was changed, and equal numbers have one id.
 */
public final class OrderId {
    /** Stands for a plan that has no id yet. */
    public static final String NONE = "0".repeat(16);

    private OrderId() {}

    /** Returns an order with its id. */
    public static Order identified(Order order) {
        return new Order(order.dataset(), of(order), Optional.empty(), order.feeds());
    }

    /** Reads a plan over versions. @throws CorruptDataException if it breaks a rule, or is not what its id says */
    public static Order parse(byte[] bytes, String file) {
        Order order = OrderJson.parse(bytes, file);
        boolean trains = order.feeds().stream().anyMatch(TrainFeed.class::isInstance);
        if (!trains && order.storage().isPresent()) {
            throw new CorruptDataException(
                    file, "has no feed that trains, so that there is no plan over its version; leave the plan out");
        }
        boolean isStored =
                order.feeds().stream().allMatch(feed -> !(feed instanceof TrainFeed train) || train.isStored());
        if (!isStored || order.storage().isPresent() || order.dataset().isEmpty()) {
            throw new CorruptDataException(
                    file,
                    "is the order of a plan or a version, and not a plan over a version; rankfeed plan makes one");
        }
        require(order.plan(), of(order), file);
        requireCanonical(bytes, OrderJson.toBytes(order), file);
        return order;
    }

    /** @throws CorruptDataException if a plan has another id than its contents */
    public static void require(String plan, String ofContents, String file) {
        if (!ofContents.equals(plan)) {
            throw new CorruptDataException(
                    file,
                    "was changed after it was written: its plan is " + plan + ", its contents are those of "
                            + ofContents + "; plan again");
        }
    }

    /**
     * @param canonical the only bytes of the contents, which the id covers
     * @throws CorruptDataException if a file has others
     */
    public static void requireCanonical(byte[] bytes, byte[] canonical, String file) {
        int at = Arrays.mismatch(bytes, canonical);
        if (at >= 0) {
            throw new CorruptDataException(
                    file, at, "is not in the canonical form, which its id covers; copy the file again, or plan again");
        }
    }

    private static String of(Order order) {
        Order anonymous = new Order(order.dataset(), NONE, Optional.empty(), order.feeds());
        return of(OrderJson.toBytes(anonymous));
    }

    /** The id of a file, by its bytes with {@link #NONE} as their id. */
    public static String of(byte[] anonymous) {
        return Sha256.hex(anonymous).substring(0, NONE.length());
    }
}
