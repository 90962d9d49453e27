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
import io.rankfeed.schema.selection.Selection;
import io.rankfeed.schema.selection.SelectionJson;
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
                manifest.file(Selection.FILE_NAME).map(entry -> selection(context, folder, manifest)),
                manifest.decisions());
    }

    private static Selection selection(JobContext context, Path folder, Manifest manifest) {
        Path file = new Path(folder, Selection.FILE_NAME);
        return SelectionJson.parse(bytes(context, file), manifest, file.toString());
    }

    public static Manifest.Plan manifest(JobContext context, Path folder) {
        Path file = new Path(folder, Manifest.FILE_NAME);
        return parsed(bytes(context, file), file);
    }

    /** Writes {@code order.json} into an attempt at a plan. */
    public static WrittenFile writeOrder(ArtifactAttempt folder, Order order) {
        return write(folder, Order.FILE_NAME, OrderJson.toBytes(order));
    }

    /** Writes {@code selection.json} into an attempt at a plan or a version. */
    public static WrittenFile writeSelection(ArtifactAttempt folder, Selection selection) {
        return write(folder, Selection.FILE_NAME, SelectionJson.toBytes(selection));
    }

    private static WrittenFile write(ArtifactAttempt folder, String name, byte[] bytes) {
        try {
            StrictJson.parse(bytes, name);
        } catch (CorruptDataException e) {
            throw new ConfigException(e.getMessage() + ", as any reader would find; plan fewer strata or stages", e);
        }
        return folder.write(name, bytes);
    }

    private static Manifest.Plan parsed(byte[] bytes, Path file) {
        return ManifestJson.require(ManifestJson.parse(bytes, file.toString()), Manifest.Plan.class, file.toString());
    }

    private static byte[] bytes(JobContext context, Path file) {
        return Storage.read(Storage.of(file, context.hadoop()), file, JsonLimits.SERVED.maxBytes())
                .orElseThrow(() -> new CorruptDataException(file.toString(), "does not exist; run sample first"));
    }
}
