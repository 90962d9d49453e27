package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.spark.job.JobFile;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.prepare.PrepareFixture;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.sample.table.PreparedFrame;
import io.rankfeed.spark.source.Sources;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs over CSV, ORC and text; what other libraries write is compared in test_formats.py. */
class FormatsIT {
    private static final String ORC_COLUMNS = "id; cast(id % 7 AS int) AS label; array(id, -id) AS list;"
            + " named_struct('x', id / 2.0D) AS struct; concat('t', id) AS text";

    @TempDir
    private Path folder;

    @Test
    void orcFilesAreReadWithTheValuesOfTheirFolders() {
        orc(1, ORC_COLUMNS);
        orc(2, ORC_COLUMNS);
        PreparedTable table = prepare(
                "orc: '" + folder.resolve("in") + "', partitions: {day: int}",
                "sql: SELECT id + day * 100 AS id, label, list[1] AS l, struct.x AS x, text, day FROM t\nkey: [id]");
        List<Row> rows = rows(table);
        assertThat(rows).hasSize(20);
        for (Row row : rows) {
            long id = row.<Long>getAs("id") % 100;
            assertThat(row.<Long>getAs("id") / 100)
                    .isEqualTo(row.<Integer>getAs("day").longValue());
            assertThat(row.<Long>getAs("l")).isEqualTo(-id);
            assertThat(row.<Double>getAs("x")).isEqualTo(id / 2.0);
            assertThat(row.<String>getAs("text")).isEqualTo("t" + id);
        }
    }

    @Test
    void anOrcSourceNeedsAKey() {
        orc(1, "id");
        assertRefused("orc: '" + folder.resolve("in") + "'", "select: {from: t}", ConfigException.class, "key");
    }

    @Test
    void columnsOfOrcFilesMayDifferWhereTheyAreNotRead() {
        orc(1, "id; cast(id AS int) AS code");
        orc(2, "id + 10 AS id; id AS code; id AS score");
        String source = "orc: '" + folder.resolve("in") + "'";
        assertThat(prepare(source, "sql: SELECT id FROM t\nkey: [id]")
                        .manifest()
                        .rows())
                .isEqualTo(20);
        PreparedTable table = prepare(source, "sql: SELECT id, score FROM t\nkey: [id]");
        assertThat(rows(table))
                .filteredOn(row -> row.isNullAt(row.fieldIndex("score")))
                .hasSize(10);
        assertRefused(
                source,
                "sql: SELECT id, code FROM t\nkey: [id]",
                ConfigException.class,
                "'code'",
                "int",
                "bigint",
                "day=1");
    }

    @Test
    void aCutOffOrcFileIsDamage() throws IOException {
        orc(1, ORC_COLUMNS);
        Path file;
        try (var files = Files.list(folder.resolve("in/day=1"))) {
            file = files.filter(name -> name.toString().endsWith(".orc"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(file);
        for (int length : new int[] {0, 3, bytes.length / 2, bytes.length - 1}) {
            Files.write(file, Arrays.copyOf(bytes, length));
            assertRefused(
                    "orc: '" + folder.resolve("in") + "'",
                    "sql: SELECT * FROM t\nkey: [id]",
                    CorruptDataException.class,
                    file.getFileName().toString());
        }
    }

    @Test
    void csvHasTheTypesOfItsSchema() throws IOException {
        write("in/p=1/a.csv", "id,name,score,flag\n1,\"a,\"\"b\"\"\nc\",0.5,true\n2,,,FALSE\n");
        write("in/p=2/b.csv.gz", "flag,more,id,name\ntrue,x,3,\"\"\n");
        PreparedTable table = prepare(
                "csv: '" + folder.resolve("in")
                        + "', schema: 'id INT, name STRING, score FLOAT, flag BOOLEAN', partitions: {p: int}",
                "select: {from: t}");
        assertThat(rows(table).stream().map(Row::toString).sorted())
                .containsExactly("[1,a,\"b\"\nc,0.5,true,1]", "[2,null,null,false,1]", "[3,,null,true,2]");
        assertThat(messages("csv: '" + folder.resolve("in") + "', schema: 'id INT, score FLOAT'"))
                .singleElement()
                .asString()
                .contains("column 'score' is null in all rows of 1 of 2 files", "p=2/b.csv.gz");
    }

    @Test
    void csvWithoutASchemaIsText() throws IOException {
        write("in/a.tsv", "id\tname\n007\t 1 \n");
        PreparedTable table = prepare("csv: '" + folder.resolve("in") + "'", "select: {from: t}");
        assertThat(rows(table).stream().map(Row::toString)).containsExactly("[007, 1 ]");
        write("in/a.tsv", "1;x\n2;y\n");
        table = prepare(
                "csv: '" + folder.resolve("in/a.tsv")
                        + "', header: false, delimiter: ';', schema: 'a BIGINT, b STRING'",
                "select: {from: t}");
        assertThat(rows(table).stream().map(Row::toString).sorted()).containsExactly("[1,x]", "[2,y]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "7,x,1      | a.csv:3: has 3 values, and the file has 2 columns",
                "y,x        | a.csv:3: 'id' is \"y\", no int",
                "2147483648,x | a.csv:3: 'id' is \"2147483648\", no int",
                "1.0,x      | a.csv:3: 'id' is \"1.0\", no int",
                "7,\"x\"y   | a.csv:3: value 2 has text after its closing quote",
                "7,\"x      | a.csv:3: value 2 begins with a quote that is not closed; the row would end in line 4, so rows",
            })
    void aRowOfCsvThatDoesNotFitIsDamageWithItsLine(String row, String message) throws IOException {
        write("in/a.csv", "id,name\n1,a\n" + row + "\n3,c");
        assertRefused(
                "csv: '" + folder.resolve("in") + "', schema: 'id INT, name STRING'",
                "select: {from: t}",
                CorruptDataException.class,
                message);
    }

    @Test
    void badRowsOfCsvAreCountedAndKept() throws IOException {
        StringBuilder text = new StringBuilder("id,name\n");
        for (int i = 0; i < 300; i++) {
            text.append(i == 7 ? "x,\"a\nb\"\n" : i == 70 ? "1,2,3\n" : i + ",n\n");
        }
        write("in/a.csv", text.toString());
        PreparedTable table = prepare(
                "csv: '" + folder.resolve("in") + "', schema: 'id INT, name STRING'",
                "select: {from: t}\non-bad-row: quarantine");
        assertThat(table.manifest().rows()).isEqualTo(298);
        assertThat(table.manifest().badRows().toString()).contains("schema-drift=1", "malformed-line=1");
    }

    @Test
    void aColumnThatNoHeaderHasIsNamed() throws IOException {
        write("in/a.csv", "id,name\n1,a\n");
        assertRefused(
                "csv: '" + folder.resolve("in") + "', schema: 'id INT, nam STRING'",
                "select: {from: t}",
                ConfigException.class,
                "sources.t.schema",
                "'nam'");
        write("in/b.csv", "id,id\n1,a\n");
        assertRefused(
                "csv: '" + folder.resolve("in") + "'",
                "select: {from: t}",
                ConfigException.class,
                "b.csv:1",
                "'id' twice");
    }

    @Test
    void textHasARowPerLine() throws IOException {
        write("in/a.txt", "first\n\n third, \"x\"\r\nlast");
        write("in/b.txt.gz", "zipped\n");
        write("in/c.md", "no text by its name\n");
        PreparedTable table = prepare("text: '" + folder.resolve("in") + "'", "select: {from: t}");
        assertThat(rows(table).stream().map(row -> row.getString(0)))
                .containsExactlyInAnyOrder("first", "", " third, \"x\"", "last", "zipped");
    }

    private void orc(int day, String columns) {
        PrepareFixture.session()
                .range(0, 10, 1, 1)
                .selectExpr(columns.split("; ?"))
                .write()
                .orc(folder.resolve("in/day=" + day).toString());
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (name.endsWith(".gz")) {
            ByteArrayOutputStream zipped = new ByteArrayOutputStream();
            try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
                out.write(bytes);
            }
            bytes = zipped.toByteArray();
        }
        Files.write(file, bytes);
    }

    private PreparedTable prepare(String source, String prepare) {
        return Prepare.run(context(source, prepare));
    }

    private List<Row> rows(PreparedTable table) {
        return PreparedFrame.open(context("text: /x", "select: {from: t}"), table)
                .rows()
                .selectExpr(table.manifest().schema().names().toArray(String[]::new))
                .collectAsList();
    }

    private List<String> messages(String source) {
        JobContext context = context(source, "select: {from: t}");
        Sources sources = Sources.open(context);
        return sources.missingColumns(context.spark().table("t"));
    }

    private void assertRefused(
            String source, String prepare, Class<? extends RankfeedException> type, String... message) {
        assertThatThrownBy(() -> prepare(source, prepare)).isInstanceOf(type).hasMessageContainingAll(message);
    }

    private JobContext context(String source, String prepare) {
        String yaml = "dataset: d\nroot: '" + folder.resolve("out") + "'\nsources:\n  t: {" + source + "}\nprepare:\n"
                + prepare.indent(2) + "sample: {train: {batch: 4, lanes: 2}}\n";
        return JobContext.of(
                PrepareFixture.session(),
                JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()),
                Progress.NONE);
    }
}
