package io.rankfeed.spark.export;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.run.OrderName;
import io.rankfeed.spark.run.JobContext;
import java.util.Arrays;
import java.util.UUID;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The order of a job over its version, next to the version. It is a file of the same kind as those that {@code rankfeed plan} writes. */
final class DefaultOrderFile {
    private DefaultOrderFile() {}

    /** Writes the order; a file with the same bytes is kept. @throws ConfigException if it has more numbers than are read */
    static void write(JobContext context, Order order) {
        byte[] bytes = OrderJson.toBytes(order);
        try {
            OrderId.parse(bytes, Order.FILE_NAME);
        } catch (CorruptDataException e) {
            throw new ConfigException(e.getMessage() + ", as any reader would find; plan fewer strata or stages", e);
        }
        Path orders = new Path(context.folders().folder(), OrderName.FILES.folder());
        Path file = new Path(new Path(orders, order.plan()), Order.FILE_NAME);
        FileSystem fs = Storage.of(file, context.hadoop());
        boolean isThere = Storage.read(fs, file, JsonLimits.SERVED.maxBytes())
                .filter(found -> Arrays.equals(found, bytes))
                .isPresent();
        if (!isThere) {
            Storage.replace(fs, file, bytes, UUID.randomUUID().toString());
        }
    }
}
