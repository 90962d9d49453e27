package io.rankfeed.spark.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.export.Export;
import io.rankfeed.spark.file.ContentDigests;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.Sample;
import io.rankfeed.spark.sample.table.PreparedFrame;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files and folders whose names mean something else to URIs, patterns and SQL; summaries next to the data. */
class OddNamesIT {
    private static final String ODD = "it's [a] {b,c} *? %20 é\uD83D\uDE00";

    @TempDir
    private Path folder;

    private SparkSession spark;
    private Path input;
    private Path output;

    @BeforeEach
    void start() throws IOException {
        spark = LocalSpark.session(2);
        input = Files.createDirectories(folder.resolve(ODD + " in").resolve(ODD + " in"));
        output = folder.resolve(ODD + " out");
        Files.createDirectories(folder.resolve("it's [a] b").resolve("decoy"));
    }

    @Test
    void parquet_withSummaryFile_hasTheColumnsOfItsFiles() throws IOException {
        for (int p = 0; p < 2; p++) {
            Files.move(
                    parquet(spark.range(p * 10L, p * 10L + 10).selectExpr("id", "id * 2 AS twice")),
                    Files.createDirectories(input.resolve("p=" + p)).resolve(ODD + ".parquet"));
        }
        Files.move(parquet(spark.range(1).selectExpr("string(id) AS other")), input.resolve("_common_metadata"));
        PreparedTable table = prepare("parquet: \"" + input + "\"");
        SampleSchema schema = table.manifest().schema();
        assertThat(schema.names()).containsExactly("id", "twice", "p");
        assertThat(table.manifest().sources())
                .containsExactly("t/p=0/" + ODD + ".parquet", "t/p=1/" + ODD + ".parquet");
        List<Row> rows = rows(table).orderBy("id").collectAsList();
        assertThat(rows).hasSize(20);
        assertThat(rows.get(13).<Integer>getAs("_source")).isEqualTo(1);
        assertThat(rows.get(13).<Long>getAs("_source_row")).isEqualTo(3);
        assertThat(rows.get(13).<String>getAs("p")).isEqualTo("1");
        JobContext later = context("parquet: unused");
        Plan plan = Sample.run(later, table);
        assertThat(Export.run(later, table, plan).rows()).isEqualTo(20);
    }

    /** Otherwise each row would be read once for each repetition of the link's name, up to 40 times. */
    @Test
    void parquet_withLinkToItsFolder_isRefused() throws IOException {
        Files.move(parquet(spark.range(3).toDF("id")), input.resolve("a.parquet"));
        Path link = Files.createSymbolicLink(input.resolve("again"), input);
        assertThatThrownBy(() -> prepare("parquet: \"" + input + "\""))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(link + ": is a symbolic link to ");
    }

    @Test
    void columns_differingInCase_areLeftOutByColumns() throws IOException {
        SparkSession sensitive = spark.newSession();
        sensitive.conf().set("spark.sql.caseSensitive", true);
        Path file = input.resolve("a.parquet");
        Files.move(
                parquet(sensitive.range(10).selectExpr("id AS ID", "id + 100 AS Id", "id * 2 AS x", "id AS y")), file);
        String source = "parquet: \"" + input + "\"";
        for (String wanted : List.of("", ", columns: [x, iD]")) {
            assertThatThrownBy(() -> prepare(source + wanted))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(file + ": columns 'ID', 'Id' are one name in SQL")
                    .hasMessageContaining("name the other columns under sources.t.columns");
        }
        PreparedTable table = prepare(source + ", columns: [x, y]");
        assertThat(table.manifest().schema().names()).containsExactly("x", "y");
        assertThat(rows(table).selectExpr("sum(x)", "sum(y)").head()).isEqualTo(RowFactory.create(90L, 45L));
    }

    @Test
    void columns_ofSparksNames_areLeftOutByColumns() throws IOException {
        Path file = input.resolve("a.parquet");
        Files.move(parquet(spark.range(10).selectExpr("id AS _METADATA", "id AS _tmp_metadata_row_index", "id")), file);
        String source = "parquet: \"" + input + "\"";
        assertThatThrownBy(() -> prepare(source))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "column '_METADATA' (a name that Spark reserves), column '_tmp_metadata_row_index'")
                .hasMessageContaining("name the other columns under sources.t.columns");
        assertThat(prepare(source + ", columns: [id]").manifest().schema().names())
                .containsExactly("id");
    }

    @Test
    void binaryFiles_oddFolder_areNamedBelowIt() throws IOException {
        List<String> names = List.of("%41.bin", "A.bin", "back\\slash.bin", ODD + ".bin");
        for (String name : names) {
            Files.writeString(Files.createDirectories(input.resolve("in")).resolve(name), name);
        }
        PreparedTable table = prepare("binary: \"" + input + "\"");
        assertThat(table.manifest().sources())
                .containsExactlyElementsOf(
                        names.stream().map(name -> "t/in/" + name).toList());
        for (Row row : rows(table).collectAsList()) {
            String name = names.get(row.<Integer>getAs("_source"));
            assertThat(row.<String>getAs("path")).isEqualTo("in/" + name);
            assertThat(row.<byte[]>getAs("content"))
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo(name);
        }
        PreparedTable one = prepare("binary: \"" + input.resolve("in/A.bin") + "\"");
        assertThat(rows(one).first().<String>getAs("path")).isEqualTo("A.bin");
    }

    @Test
    void lines_oddFileNames_areAddressedByTheirFile() throws IOException {
        for (String name : List.of("%41.jsonl", "A.jsonl", "10:30.jsonl", ODD + ".jsonl")) {
            Files.writeString(input.resolve(name), "\n{\"name\": \"" + name + "\"}\n");
        }
        PreparedTable table = prepare("jsonl: \"" + input + "\"");
        for (Row row : rows(table).collectAsList()) {
            assertThat(table.manifest().sources().get(row.getAs("_source"))).isEqualTo("t/" + row.getAs("name"));
            assertThat(row.<Long>getAs("_source_row")).isEqualTo(1);
        }
    }

    @Test
    void fileName_withColon_isRefusedWhereSparkReads() throws IOException {
        Files.writeString(Files.createDirectories(input.resolve("a")).resolve("10:30.bin"), "x");
        Files.writeString(Files.createDirectories(input.resolve("b/10:30")).resolve("a.bin"), "x");
        for (String below : List.of("a", "b")) {
            assertThatThrownBy(() -> prepare("parquet: \"" + input.resolve(below) + "\""))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(".bin has a colon in its name or its folder's, which Spark cannot read");
            assertThat(rows(prepare("binary: \"" + input.resolve(below) + "\"")).count())
                    .isEqualTo(1);
        }
    }

    @Test
    void digests_onDriverAndExecutors_areTheSame() throws IOException {
        for (int i = 0; i < 5; i++) {
            Files.write(input.resolve("%4" + i), new byte[1000 * i]);
        }
        SourceFiles files =
                new SourceFiles("t", input.toString(), spark.sparkContext().hadoopConfiguration());
        List<SourceFile> all = files.list(name -> true);
        List<Input.InputFile> here =
                ContentDigests.of(spark, spark.sparkContext().hadoopConfiguration(), all, Long.MAX_VALUE);
        assertThat(here).hasSize(5).doesNotHaveDuplicates();
        assertThat(ContentDigests.of(spark, spark.sparkContext().hadoopConfiguration(), all, 0))
                .isEqualTo(here);
    }

    private Path parquet(Dataset<Row> rows) throws IOException {
        Path written = folder.resolve("written");
        rows.coalesce(1).write().mode("overwrite").parquet(written.toString());
        try (Stream<Path> files = Files.list(written)) {
            return files.filter(file -> file.toString().endsWith(".parquet"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private PreparedTable prepare(String source) {
        return Prepare.run(context(source));
    }

    private Dataset<Row> rows(PreparedTable table) {
        return PreparedFrame.open(context("parquet: unused"), table).rows();
    }

    private JobContext context(String source) {
        String yaml = "dataset: d\nroot: \"" + output + "\"\nsources:\n  t: {" + source
                + "}\nprepare: {select: {from: t}}\n" + "sample: {train: {batch: 4, lanes: 2}}\n";
        return JobContext.of(
                spark, JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE);
    }
}
