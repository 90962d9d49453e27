package io.rankfeed.spark.format;

import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.cache.CacheLayout;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.SchemaJson;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Footer;
import io.rankfeed.spark.file.ComputedIterator;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalInt;
import org.apache.hadoop.fs.Path;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of lanes, and gives each row its destination.
 *
 * <pre>
 *   out           destination i64, the row as {@link StoredRow} binary
 * </pre>
 *
 * @param version its folder
 * @param schemaJson the columns of the version
 * @param columns those that are read
 */
record RoutedLanes(
        String version,
        String schemaJson,
        List<String> columns,
        int batchRows,
        Positions positions,
        Sets sets,
        TaskConfiguration conf)
        implements FlatMapFunction<Iterator<RoutedLanes.Lane>, InternalRow> {
    /**
     * A file.
     *
     * @param lane empty for the shared rows
     * @param firstNumber number of its first row, by {@link FirstDraws}
     */
    record Lane(
            String feed,
            @Nullable Integer lane,
            long firstNumber,
            long rows,
            String path,
            long lengthBytes,
            String sha256,
            int footerBytes,
            String footerSha256)
            implements Serializable {
        LaneFile open(Path version, TaskConfiguration conf) {
            return LaneFile.open(version, ArtifactFile.of(path, lengthBytes, sha256), conf.value());
        }

        CacheLayout layout(LaneFile file, SampleSchema schema, int batchRows) {
            OptionalInt of = lane == null ? OptionalInt.empty() : OptionalInt.of(lane);
            return file.layout(schema, feed, of, batchRows, rows, new Footer(footerBytes, footerSha256));
        }
    }

    @Override
    public Iterator<InternalRow> call(Iterator<Lane> lanes) {
        Rows rows = new Rows(lanes);
        TaskCompletionListener close = task -> rows.close();
        TaskContext.get().addTaskCompletionListener(close);
        return rows;
    }

    private final class Rows extends ComputedIterator<InternalRow> implements AutoCloseable {
        private final Iterator<Lane> lanes;
        private final SampleSchema schema = SchemaJson.fromJson(
                JsonObject.root(StrictJson.parse(schemaJson.getBytes(StandardCharsets.UTF_8), "schema"), "schema"));
        private final SampleSchema read =
                new SampleSchema(columns.stream().map(schema::field).toList());
        private final GenericInternalRow row = new GenericInternalRow(2);
        private @Nullable LaneFile file;
        private Positions.@Nullable Cursor places;
        private StoredRow.@Nullable Reader reader;
        private String feed = "";
        private long left;

        Rows(Iterator<Lane> lanes) {
            this.lanes = lanes;
        }

        @Override
        protected @Nullable InternalRow compute() {
            while (left == 0) {
                if (!lanes.hasNext()) {
                    return null;
                }
                open(lanes.next());
            }
            StoredRow.Reader from = reader;
            Positions.Cursor at = places;
            if (from == null || at == null) {
                throw new IllegalStateException("no lane is open");
            }
            left--;
            long place = at.next();
            row.setLong(0, sets.destination(feed, Positions.rank(place), Positions.position(place)));
            row.update(1, from.next());
            return row;
        }

        private void open(Lane lane) {
            close();
            LaneFile opened = lane.open(new Path(version), conf);
            file = opened;
            reader = new StoredRow.Reader(lane.layout(opened, schema, batchRows), opened, read);
            places = positions.open(lane.feed(), lane.firstNumber());
            feed = lane.feed();
            left = lane.rows();
        }

        @Override
        public void close() {
            if (file != null) {
                file.close();
                file = null;
            }
            if (places != null) {
                places.close();
                places = null;
            }
        }
    }
}
