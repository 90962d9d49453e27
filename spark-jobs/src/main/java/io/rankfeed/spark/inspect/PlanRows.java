package io.rankfeed.spark.inspect;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;

import io.rankfeed.look.Artifact;
import io.rankfeed.look.Inspection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.run.VersionCommit;
import io.rankfeed.schema.run.VersionName;
import io.rankfeed.schema.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The rows of a plan, by feed. */
record PlanRows(Artifact plan, Order order) {
    static final String ROW_ID = "row_id";
    static final String STRATUM = "stratum";
    static final String LANE = "lane";
    private static final String FILE = "file";

    private static final StructType NONE = new StructType()
            .add(ROW_ID, DataTypes.LongType)
            .add(STRATUM, DataTypes.StringType)
            .add(LANE, DataTypes.IntegerType);

    /**
     * Opens a plan.
     *
     * @param path the folder of a plan, or of a version whose plan is next to it; a version that is named by a run has the plan of this run
     * @param warn gets warnings for the user
     * @throws ConfigException if there is none
     * @throws io.rankfeed.schema.failure.CorruptDataException if a file is damaged
     */
    static PlanRows of(String path, Store.Finder stores, Consumer<String> warn) {
        Artifact artifact = Inspection.planned(path, stores, warn);
        if (artifact.is(ArtifactFormat.VERSION)) {
            String version = artifact.manifest().id();
            String id = VersionName.parse(path)
                    .flatMap(name -> name.commit(stores.of(name.dataset())))
                    .filter(commit -> commit.version().equals(version))
                    .flatMap(VersionCommit::plan)
                    .orElseGet(artifact::planId);
            String folder = artifact.sibling(ArtifactFormat.PLAN, id);
            if (artifact.store().find(folder + "/" + Manifest.FILE_NAME).isEmpty()) {
                throw new ConfigException(path + " was made from the plan " + id + ", which is not at " + folder
                        + "; give folders whose plans are there, as sample wrote them");
            }
            artifact = Artifact.open(artifact.store(), folder);
        }
        artifact.files();
        return new PlanRows(artifact, artifact.order());
    }

    String name() {
        return plan.folder();
    }

    /** What people call some rows of a feed, as far as the prepared table reports; two scans of two columns each. */
    Map<Long, String> keys(SparkSession spark, String feed, List<Long> rowIds) {
        Optional<PreparedKeys> keys = PreparedKeys.of(plan);
        if (keys.isEmpty() || rowIds.isEmpty()) {
            return Map.of();
        }
        Map<Long, Integer> fileOf = new HashMap<>();
        read(spark, files(feed))
                .where(col(ROW_ID).isin(rowIds.toArray()))
                .select(ROW_ID, FILE)
                .collectAsList()
                .forEach(row -> fileOf.put(row.getLong(0), row.getInt(1)));
        return keys.get().of(spark, fileOf);
    }

    private List<String> files(String feed) {
        List<String> files = new ArrayList<>();
        for (ArtifactFile file : plan.manifest().files()) {
            String path = file.path().value();
            if (path.matches("rows/" + feed + "-[0-9]{5}\\.parquet")) {
                files.add(address(plan, path));
            }
        }
        return files;
    }

    /** The address of a file for Spark, whose default file system need not be the one of this machine. */
    static String address(Artifact artifact, String path) {
        String file = artifact.folder() + "/" + path;
        return file.startsWith("/") ? "file://" + file : file;
    }

    private static Dataset<Row> read(SparkSession spark, List<String> files) {
        return spark.read()
                .option("parquet.page.verify-checksum.enabled", "true")
                .parquet(files.toArray(String[]::new));
    }

    /** Row ids, names of strata and lanes of a feed; none for an unknown feed. */
    Dataset<Row> rows(SparkSession spark, String feed) {
        Optional<Feed> found = order.feed(feed);
        List<String> files = files(feed);
        if (found.isEmpty() || files.isEmpty()) {
            return spark.createDataFrame(List.<Row>of(), NONE);
        }
        ArrayList<String> names = new ArrayList<>();
        if (found.get() instanceof TrainFeed train) {
            train.strata().forEach(stratum -> names.add(stratum.name()));
        } else {
            names.add("all");
        }
        UDF1<Integer, String> name = names::get;
        return read(spark, files)
                .select(
                        col(ROW_ID),
                        udf(name, DataTypes.StringType).apply(col(STRATUM)).as(STRATUM),
                        col(LANE));
    }
}
