package io.rankfeed.spark.format;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.export.lane.LaneHeader;
import io.rankfeed.job.ExportSection;
import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.cache.CacheBatch;
import io.rankfeed.schema.cache.CacheLayout;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Footer;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.spark.export.CacheUnits;
import io.rankfeed.spark.export.Version;
import io.rankfeed.spark.run.JobContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * The files of the lanes of a version, as its manifest lists them.
 *
 * @param order by which the rows are sorted
 * @param lanes feed by feed
 */
record VersionLanes(
        Path path,
        Manifest.Version manifest,
        String manifestSha256,
        Order order,
        int batchRows,
        List<RoutedLanes.Lane> lanes) {
    /** @throws CorruptDataException if the manifest is damaged, or lacks a file */
    static VersionLanes of(JobContext context, Version version) {
        Path file = new Path(version.path(), Manifest.FILE_NAME);
        byte[] bytes = Storage.read(Storage.of(file, context.hadoop()), file, JsonLimits.SERVED.maxBytes())
                .orElseThrow(() -> new CorruptDataException(file.toString(), "does not exist; export again"));
        Manifest.Version manifest = ManifestJson.require(
                ManifestJson.parse(bytes, file.toString()), Manifest.Version.class, file.toString());
        ExportSection section = context.job().export();
        List<RoutedLanes.Lane> lanes = new ArrayList<>();
        Map<String, FirstDraws> draws = new HashMap<>();
        version.order().feeds().forEach(feed -> draws.put(feed.name(), new FirstDraws(feed, 1)));
        for (CacheUnits.Unit unit : new CacheUnits(version.order(), section.shardRows()).all()) {
            ArtifactFile listed = manifest.file(unit.path())
                    .orElseThrow(() -> new CorruptDataException(file.toString(), "lists no file " + unit.path()));
            Footer footer = listed.footer().orElseThrow();
            boolean isShared = unit.lane().equals(LaneHeader.SHARED);
            int lane = isShared ? LaneLayout.SHARED : Integer.parseInt(unit.lane());
            lanes.add(new RoutedLanes.Lane(
                    unit.feed(),
                    isShared ? null : lane,
                    Objects.requireNonNull(draws.get(unit.feed())).number(lane, unit.firstOrdinal()),
                    unit.rows(),
                    unit.path(),
                    listed.bytes(),
                    listed.sha256(),
                    footer.bytes(),
                    footer.sha256()));
        }
        return new VersionLanes(
                version.path(), manifest, Sha256.hex(bytes), version.order(), section.batchRows(), lanes);
    }

    /** The mean size of the values of a row in the first file of a feed, in bytes; 0 for a feed without rows. */
    double meanBytes(String feed, SampleSchema columns, Configuration conf) {
        return lanes.stream()
                .filter(lane -> lane.feed().equals(feed))
                .findFirst()
                .map(lane -> {
                    try (LaneFile file = lane.open(path, new TaskConfiguration(conf))) {
                        return meanBytes(lane.layout(file, manifest.schema(), batchRows), columns);
                    }
                })
                .orElse(0.0);
    }

    private static double meanBytes(CacheLayout layout, SampleSchema columns) {
        long total = 0;
        for (Field field : columns.fields()) {
            int column = layout.column(field.name());
            for (CacheBatch batch : layout.batches()) {
                total += batch.body().valueCount(column) * field.dtype().sizeBytes();
            }
        }
        return (double) total / layout.rows();
    }
}
