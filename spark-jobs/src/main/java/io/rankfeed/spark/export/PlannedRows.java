package io.rankfeed.spark.export;

import static org.apache.spark.sql.functions.col;

import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.spark.file.FileRow;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.table.ArtifactTable;
import io.rankfeed.spark.sample.table.DirectFunction;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;

/** The plan's rows of all feeds: which file of the cache each goes to, and where the prepared table has it. */
public final class PlannedRows {
    static final String UNIT = "__rf_unit";
    static final String ORDINAL = "__rf_ordinal";
    static final String ADDRESS = "__rf_address";
    static final String PLANNED_ID = "__rf_row_id";

    private PlannedRows() {}

    static Dataset<Row> of(JobContext context, Plan plan, Manifest manifest, CacheUnits units) {
        Dataset<Row> all = null;
        List<Feed> feeds = plan.order().feeds();
        for (int i = 0; i < feeds.size(); i++) {
            Dataset<Row> rows = ArtifactTable.planRows(
                            context, plan.path(), filesOf(manifest, feeds.get(i).name()))
                    .select(
                            new UnitOf(units, i).of(col("lane"), col("ordinal")).as(UNIT),
                            col("ordinal").as(ORDINAL),
                            col("row_id").as(PLANNED_ID),
                            FileRow.of(col("file"), col("row")).as(ADDRESS));
            all = all == null ? rows : all.union(rows);
        }
        if (all == null) {
            throw new IllegalStateException("an order has at least one feed");
        }
        return all;
    }

    /** The number of the file of a row of a feed, by its lane and its ordinal there. */
    public static final class UnitOf extends DirectFunction<Integer> {
        private static final long serialVersionUID = 1L;

        private final CacheUnits units;
        private final int feed;

        UnitOf(CacheUnits units, int feed) {
            super("unit_of", DataTypes.IntegerType, DataTypes.IntegerType, DataTypes.LongType);
            this.units = units;
            this.feed = feed;
        }

        public int invoke(int lane, long ordinal) {
            return units.unitOf(feed, lane, ordinal);
        }
    }

    private static List<ArtifactFile> filesOf(Manifest manifest, String feed) {
        String prefix = "rows/" + feed + "-";
        return manifest.files().stream()
                .filter(file -> file.path().value().startsWith(prefix)
                        && file.path().value().length() == prefix.length() + "00000.parquet".length())
                .toList();
    }
}
