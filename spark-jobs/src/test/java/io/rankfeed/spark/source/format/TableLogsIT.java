package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.prepare.PrepareFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Folders of tables whose log decides which files are of the table. */
class TableLogsIT extends FormatJob {
    /** The files of row 1 are still there. */
    @Test
    void deltaTable_readAsParquet_isRefused() {
        Path table = folder.resolve("delta");
        SparkSession spark = PrepareFixture.session();
        spark.range(4)
                .selectExpr("id", "id % 2 AS p")
                .write()
                .format("delta")
                .partitionBy("p")
                .save(table.toString());
        spark.sql("DELETE FROM delta.`" + table + "` WHERE id = 1");
        String by = "select: {from: t}\nkey: [id]";
        for (String location : new String[] {"", "/p=1"}) {
            assertRefused(
                    "parquet: '" + table + location + "'",
                    by,
                    ConfigException.class,
                    "sources.t: file:" + table
                            + " is the folder of a table of Delta, which also has files of rows that the table removed");
        }
        assertThat(prepare("delta: '" + table + "'", by).manifest().rows()).isEqualTo(3);
    }

    @Test
    void hudiTable_readAsOrc_isRefused() throws IOException {
        PrepareFixture.session().range(3).write().orc(folder.resolve("in/t").toString());
        Files.createDirectory(folder.resolve("in/t/.hoodie"));
        assertRefused(
                "orc: '" + folder.resolve("in") + "'",
                "select: {from: t}\nkey: [id]",
                ConfigException.class,
                "/in/t is the folder of a table of Hudi");
    }

    /** No runtime of Iceberg exists for this Spark, so the folders are those of its specification. */
    @ParameterizedTest
    @CsvSource({"parquet, ''", "parquet, data", "parquet, data/p=1", "orc, ''", "orc, data"})
    void icebergTable_readByItsFiles_isRefused(String format, String location) throws IOException {
        Path table = folder.resolve("ice");
        PrepareFixture.session()
                .range(3)
                .write()
                .format(format)
                .save(table.resolve("data/p=1").toString());
        Files.createDirectories(table.resolve("metadata"));
        String source = format + ": '" + table.resolve(location) + "'";
        String by = "select: {from: t}\nkey: [id]";
        Files.createFile(table.resolve("metadata/00001-5e8f.metadata.json"));
        assertRefused(source, by, ConfigException.class, "/ice is the folder of a table of Iceberg, which");
        Files.delete(table.resolve("metadata/00001-5e8f.metadata.json"));
        assertThat(prepare(source, by).manifest().rows()).isEqualTo(3);
    }

    @Test
    void icebergTable_readAsAvro_isRefused() throws IOException {
        Path table = folder.resolve("ice");
        for (String file : new String[] {"data/a.avro", "metadata/snap-1.avro", "metadata/v1.metadata.json"}) {
            Files.createDirectories(table.resolve(file).getParent());
            Files.createFile(table.resolve(file));
        }
        for (String location : new String[] {"", "data"}) {
            assertRefused(
                    "avro: '" + table.resolve(location) + "'",
                    "select: {from: t}\nkey: [id]",
                    ConfigException.class,
                    "/ice is the folder of a table of Iceberg, which");
        }
    }

    /** A task that fails leaves a file, and the one after it writes the rows again. */
    @ParameterizedTest
    @ValueSource(strings = "parquet")
    void fileOfStreamingQuery_notCommitted_isRefused(String format) throws Exception {
        Path in = folder.resolve("in");
        Path out = folder.resolve("out of stream");
        SparkSession spark = PrepareFixture.session();
        spark.range(3).write().json(in.toString());
        spark.readStream()
                .schema("id BIGINT")
                .json(in.toString())
                .writeStream()
                .format(format)
                .trigger(Trigger.AvailableNow())
                .option("checkpointLocation", folder.resolve("checkpoint").toString())
                .start(out.toString())
                .awaitTermination();
        String kind = format.equals("json") ? "jsonl" : format;
        String source = kind + ": '" + out + "'" + (kind.equals("jsonl") ? ", schema: 'id BIGINT'" : "");
        assertThat(texts(source, "CAST(id AS STRING)")).containsExactly("0", "1", "2");
        Path file;
        try (var files = Files.list(out)) {
            file = files.filter(path -> path.getFileName().toString().startsWith("part-"))
                    .findFirst()
                    .orElseThrow();
        }
        Path again = Files.copy(file, out.resolve("again-" + file.getFileName()));
        assertRefused(
                source,
                "select: {from: t}",
                ConfigException.class,
                again + " is not in ",
                "_spark_metadata, the log of the streaming query");
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = {"json", "orc"})
    void fileOfStreamingQuery_inOtherFormats_isRefused(String format) throws Exception {
        fileOfStreamingQuery_notCommitted_isRefused(format);
    }
}
