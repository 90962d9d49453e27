package io.rankfeed.spark.sample;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.spark.run.JobContext;
import org.apache.hadoop.fs.Path;

/** The small files of a plan's folder, read and written. */
public final class PlanFolder {
    private PlanFolder() {}

    /** @throws CorruptDataException if the plan is not there, or not what its manifest says */
    public static Plan open(JobContext context, Path folder) {
        Path manifestFile = new Path(folder, Manifest.FILE_NAME);
        byte[] bytes = bytes(context, manifestFile);
        Manifest.Plan manifest = parsed(bytes, manifestFile);
        Path orderFile = new Path(folder, Order.FILE_NAME);
        byte[] order = bytes(context, orderFile);
        return new Plan(
                manifest.id(),
                folder,
                Sha256.hex(bytes),
                OrderJson.parse(order, manifest, orderFile.toString()),
                manifest.decisions());
    }

    public static Manifest.Plan manifest(JobContext context, Path folder) {
        Path file = new Path(folder, Manifest.FILE_NAME);
        return parsed(bytes(context, file), file);
    }

    /** Writes {@code order.json} into an attempt at a plan or a version. */
    public static WrittenFile writeOrder(ArtifactAttempt folder, Order order) {
        byte[] bytes = OrderJson.toBytes(order);
        try {
            StrictJson.parse(bytes, Order.FILE_NAME);
        } catch (CorruptDataException e) {
            throw new ConfigException(e.getMessage() + ", as any reader would find; plan fewer strata or stages", e);
        }
        return folder.write(Order.FILE_NAME, bytes);
    }

    private static Manifest.Plan parsed(byte[] bytes, Path file) {
        return ManifestJson.require(ManifestJson.parse(bytes, file.toString()), Manifest.Plan.class, file.toString());
    }

    private static byte[] bytes(JobContext context, Path file) {
        return Storage.read(Storage.of(file, context.hadoop()), file, JsonLimits.SERVED.maxBytes())
                .orElseThrow(() -> new CorruptDataException(file.toString(), "does not exist; run sample first"));
    }
}
