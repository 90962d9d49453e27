package io.rankfeed.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.rankfeed.job.JobFile;
import io.rankfeed.spark.export.Export;
import io.rankfeed.spark.export.Version;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.sample.Sample;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sizes that a dry run states, against those of the run. */
class DrySizesIT {
    private static final Pattern PARQUET = Pattern.compile("about (\\S+) (\\S+) of Parquet");
    private static final Pattern CACHES = Pattern.compile("in the caches, about (\\S+) (\\S+) in 4 lanes");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            lists   | 9000  | transform(sequence(0, cast(id % 60 AS int)), x -> hash(id, x)) AS tokens; transform(sequence(0, cast(id % 4 AS int)), x -> id / (x + 1)) AS scores
            """)
    void dryRun_table_statesTheSizesWithinAFifth(String name, int rows, String columns) {
        SparkSession spark = LocalSpark.session(3);
        spark.range(0, rows, 1, 3)
                .selectExpr("id")
                .selectExpr(("id;" + columns).split(";", -1))
                .write()
                .parquet(folder.resolve("in").toString());
        String job = "dataset: d\nroot: '" + folder + "'\nsources: {t: {parquet: '" + folder.resolve("in")
                + "'}}\nprepare: {select: {from: t}}\nsample: {train: {batch: 16, lanes: 4}}\n";
        JobContext context = JobContext.of(
                spark, JobFile.read(name + ".yaml", job.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE);
        List<String> lines = new ArrayList<>();
        DryRun.report(Goal.PIPELINE, context, lines::add);
        String printed = String.join("\n", lines);

        PreparedTable table = Prepare.run(context);
        Version version = Export.run(context, table, Sample.run(context, table));

        assertThat(bytes(PARQUET, printed))
                .as(printed)
                .isCloseTo((double) table.manifest().totalBytes(), withinPercentage(20));
        assertThat(bytes(CACHES, printed)).as(printed).isCloseTo((double) version.lengthBytes(), withinPercentage(20));
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            texts   | 12000 | repeat(sha2(cast(id AS string), 256), cast(1 + id % 9 AS int)) AS text; 'same' AS split
            numbers | 20000 | id % 7 AS a; rand(1) AS b; cast(id AS float) AS c; id % 2 = 0 AS d
            images  | 1500  | unhex(concat_ws('', transform(sequence(1, cast(50 + id % 20 AS int)), x -> sha2(concat(id, x), 512)))) AS image; id % 10 AS label
            words   | 9000  | transform(sequence(0, cast(id % 5 AS int)), x -> sha2(concat(id, x), 256)) AS words; sha2(cast(id AS string), 256) AS name
            """)
    void dryRun_moreTables_statesTheSizesWithinAFifth(String name, int rows, String columns) {
        dryRun_table_statesTheSizesWithinAFifth(name, rows, columns);
    }

    private static double bytes(Pattern pattern, String printed) {
        Matcher found = pattern.matcher(printed);
        assertThat(found.find()).as(printed).isTrue();
        double unit = Math.pow(1024, List.of("B", "KiB", "MiB", "GiB").indexOf(found.group(2)));
        return Double.parseDouble(found.group(1)) * unit;
    }
}
