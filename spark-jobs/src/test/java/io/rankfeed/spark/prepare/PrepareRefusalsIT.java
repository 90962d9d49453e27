package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrepareRefusalsIT {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT id, rand() AS r FROM t|differ from run to run",
                "SELECT id FROM t LIMIT 10|LIMIT",
                "SELECT id, current_timestamp() AS now FROM t|differ from run to run",
                "SELECT id, (SELECT max(current_timestamp()) FROM t) AS now FROM t|differ from run to run",
                "SELECT id FROM t WHERE id IN (SELECT id FROM t LIMIT 5)|LIMIT",
                "SELECT id FROM t WHERE id > (SELECT avg(id) FROM t TABLESAMPLE (50 PERCENT))|TABLESAMPLE",
                "SELECT id, max(id) + rand() AS s FROM t GROUP BY id|differ from run to run",
                "SELECT id, (SELECT size(collect_list(id)) FROM t) AS n, map(1, 2) AS m FROM t|to_json(m)",
                "SELECT CAST(id AS DECIMAL(10,2)) AS id FROM t|CAST(id AS DOUBLE) AS id",
                "SELECT id, map(1, 2) AS m FROM t|to_json(m)",
                "SELECT id, id AS ID FROM t|stands twice",
                "SELECT id AS _row_id FROM t|keeps for itself",
                "SELEC id FROM t|SELEC",
                "SELECT idd FROM t|job's SQL",
                "SELECT id FROM nowhere|job's SQL",
                "SELECT max(id) AS id FROM t GROUP BY label|prepare.key is needed",
                "SELECT id FROM t WHERE id < 0|gives no rows"
            })
    void wordsThatCannotBeAreRefusedWithWhatToWrite(String sql, String message) {
        Path source = PrepareFixture.table(folder.resolve("in"), 20, 1);
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, "sql: \"" + sql + "\""))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aKeyThatStandsTwiceOrIsNullIsNamed() {
        Path source = PrepareFixture.table(folder.resolve("in"), 50, 1);
        for (String from : new String[] {"t", "(SELECT * FROM t UNION ALL SELECT * FROM t)"}) {
            String sql = "sql: SELECT id % 40 AS k, note FROM " + from + "\nkey: [k]";
            assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, sql))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("the key (")
                    .hasMessageContaining("more than one row");
        }
        assertThatThrownBy(() -> PrepareFixture.prepare(
                        folder.resolve("out"), source, "sql: \"SELECT nullif(id, 7) AS k FROM t\"\nkey: [k]"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("key column 'k'")
                .hasMessageContaining("null");
    }

    @Test
    void aListOfAnotherShapeOrWithANullIsRefusedWithItsRow() {
        Path source = PrepareFixture.table(folder.resolve("in"), 50, 1);
        assertThatThrownBy(() -> PrepareFixture.prepare(
                        folder.resolve("out"), source, "select: {from: t}\ntensors: {tokens: {shape: [7]}}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("'tokens'")
                .hasMessageContaining("[7]")
                .hasMessageContaining("row ");
        assertThatThrownBy(() -> PrepareFixture.prepare(
                        folder.resolve("out"), source, "sql: \"SELECT array(id, null) AS v FROM t\""))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("null inside the list");
    }

    @Test
    void aMissingFolderColumnOrADriftOfSchemasIsNamed() {
        Path source = PrepareFixture.table(folder.resolve("in"), 20, 1);
        assertThatThrownBy(
                        () -> PrepareFixture.prepare(folder.resolve("out"), folder.resolve("no"), "select: {from: t}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("there is nothing at");
        assertThatThrownBy(() -> PrepareFixture.prepare(
                        folder.resolve("out"),
                        "  t: {parquet: '" + source + "', columns: [id, lable]}",
                        "select: {from: t}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean 'label'");
        PrepareFixture.session()
                .range(3)
                .selectExpr("cast(id as int) AS id")
                .write()
                .mode("append")
                .parquet(source.toString());
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, "select: {from: t}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("its schema differs");
    }

    @Test
    void aFlippedBitOrACutFileIsDamageAndNamesTheFile() throws IOException {
        Path source = PrepareFixture.table(folder.resolve("in"), 2000, 1);
        Path file;
        try (Stream<Path> files = Files.list(source)) {
            file = files.filter(path -> path.toString().endsWith(".parquet"))
                    .findFirst()
                    .orElseThrow();
        }
        Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
        byte[] bytes = Files.readAllBytes(file);
        byte[] flipped = bytes.clone();
        flipped[bytes.length / 2] ^= 4;
        Files.write(file, flipped);
        assertDamage(source, file);
        Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 100));
        assertDamage(source, file);
        Files.write(file, new byte[0]);
        assertDamage(source, file);
    }

    private void assertDamage(Path source, Path file) {
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, "select: {from: t}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(file.getFileName().toString());
    }

    @Test
    void aLineThatIsNoJsonIsNamedByFileAndLine() throws IOException {
        Path lines = Files.createDirectories(folder.resolve("lines")).resolve("a.jsonl");
        Files.writeString(lines, "{\"a\": 1, \"b\": [1, 2]}\n\n{\"a\": 2, \"b\": [3]}\n", StandardCharsets.UTF_8);
        String source = "  t: {jsonl: '" + lines.getParent() + "'}";
        PrepareFixture.prepare(folder.resolve("out"), source, "select: {from: t}");
        Files.writeString(lines, "{\"a\": 1, \"b\": [1, 2]}\n\n{\"a\": oops}\n", StandardCharsets.UTF_8);
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, "select: {from: t}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("a.jsonl:3")
                .hasMessageContaining("no JSON");
    }
}
