package io.rankfeed.spark.source.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.job.JobFile;
import io.rankfeed.spark.prepare.PrepareFixture;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions on timestamps in milliseconds: a row group of the first millisecond of 1970, and one of the next two. */
class TimestampConditionsIT {
    @TempDir
    Path folder;

    /** Spark looks for row groups by the whole milliseconds of a timestamp: by 0 here. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "t < TIMESTAMP'1970-01-01 00:00:00.0005' | 0",
                "t <> TIMESTAMP'1970-01-01 00:00:00.0005' | 0 1 2",
                "n NOT IN (TIMESTAMP_NTZ'1970-01-01 00:00:00.0005', TIMESTAMP_NTZ'1970-01-01 00:00:00.001') | 0 2",
                "t > TIMESTAMP'1970-01-01 00:00:00.001' | 2",
            })
    void condition_betweenMilliseconds_losesNoRow(String where, String ids) throws IOException {
        write("a", 0);
        write("b", 1, 2);
        assertThat(ids(where))
                .containsExactlyElementsOf(
                        Stream.of(ids.split(" ")).map(Long::parseLong).toList());
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NOT (t >= TIMESTAMP'1970-01-01 00:00:00.0005') | 0",
                "t = TIMESTAMP'1970-01-01 00:00:00.000' OR n < TIMESTAMP_NTZ'1970-01-01 00:00:00.0015' | 0 1",
                "t <= TIMESTAMP'1970-01-01 00:00:00.0015' AND id > 0 | 1",
            })
    void moreConditions_betweenMilliseconds_loseNoRow(String where, String ids) throws IOException {
        condition_betweenMilliseconds_losesNoRow(where, ids);
    }

    private void write(String name, long... millis) throws IOException {
        MessageType schema = MessageTypeParser.parseMessageType("message m { required int64 id;"
                + " required int64 t (TIMESTAMP(MILLIS,true)); required int64 n (TIMESTAMP(MILLIS,false)); }");
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(
                        folder.resolve("in/" + name + ".parquet").toUri()))
                .withConf(new Configuration())
                .withType(schema)
                .build()) {
            for (long time : millis) {
                writer.write(new SimpleGroupFactory(schema)
                        .newGroup()
                        .append("id", time)
                        .append("t", time)
                        .append("n", time));
            }
        }
    }

    private List<Long> ids(String where) {
        String yaml = "dataset: d\nroot: '" + folder.resolve("out") + "'\nsources: {t: {parquet: '"
                + folder.resolve("in") + "', where: \"" + where + "\"}}\nprepare: {select: {from: t}}\n"
                + "sample: {train: {batch: 4, lanes: 2}}\n";
        return JobContext.of(
                        PrepareFixture.session(),
                        JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()),
                        Progress.NONE)
                .openSources()
                .all()
                .get(0)
                .rows()
                .select("id")
                .orderBy("id")
                .collectAsList()
                .stream()
                .map(row -> row.getLong(0))
                .toList();
    }
}
