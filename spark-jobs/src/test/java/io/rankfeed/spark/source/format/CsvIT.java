package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.run.PreparedTable;
import java.io.IOException;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs over CSV. */
class CsvIT extends FormatJob {
    @Test
    void csv_withSchema_hasItsTypes() throws IOException {
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
    void csv_withoutSchema_isText() throws IOException {
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
                "7,\"x      | a.csv:3: value 2 begins with a quote that is not closed; where the row ends is unknown (line 4",
            })
    void csvRow_notFitting_isDamageWithItsLine(String row, String message) throws IOException {
        write("in/a.csv", "id,name\n1,a\n" + row + "\n3,c");
        assertRefused(
                "csv: '" + folder.resolve("in") + "', schema: 'id INT, name STRING'",
                "select: {from: t}",
                CorruptDataException.class,
                message);
    }

    /** As Spark writes quotes by default: what follows looks like rows. */
    @Test
    void csvRow_withWrongQuotes_isNoBadRow() throws IOException {
        write(
                "in/a.csv",
                "a,b,c\n".concat("1,x,y\n".repeat(500)) + "1,\"say \\\"hi\\\"\",\"first\n2,fake,row\nlast\"\n");
        assertRefused(
                "csv: '" + folder.resolve("in") + "'",
                "select: {from: t}\non-bad-row: quarantine",
                CorruptDataException.class,
                "a.csv:502: value 2 has text after its closing quote");
    }

    @Test
    void csvBadRows_areCountedAndKept() throws IOException {
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
    void csvColumn_inNoHeader_isNamed() throws IOException {
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
}
