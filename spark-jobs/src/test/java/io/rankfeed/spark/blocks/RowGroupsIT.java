package io.rankfeed.spark.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.look.InspectCommand;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.inspect.JobParts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Prepared tables on a real HDFS: where the name node says that the blocks are, and where the row groups are. */
class RowGroupsIT {
    private static final long MIB = 1 << 20;

    @TempDir
    private static Path folder;

    private static Hdfs hdfs;
    private static Preparing preparing;

    @BeforeAll
    static void startCluster() {
        hdfs = new Hdfs(folder.resolve("hdfs"));
        preparing = new Preparing(hdfs);
    }

    @AfterAll
    static void stopCluster() {
        hdfs.close();
    }

    @ParameterizedTest(name = "{0}, blocks of {1} MiB, {2}")
    @CsvSource("SKEWED, 1, zstd, 24")
    void rowGroups_crossNoBlockAndFillBlocks(BlockTable table, int blockMib, String compression, int blocks) {
        prepareAndCheckBlocks(table, blockMib, compression, blocks);
    }

    @ParameterizedTest(name = "{0}, blocks of {1} MiB, {2}")
    @Tag("nightly")
    @CsvSource({
        "PRODUCTS, 1, snappy, 24",
        "TOKENS, 1, zstd, 24",
        "WIDE, 4, zstd, 13",
        "SKEWED, 4, snappy, 11",
        "NARROW, 1, zstd, 24",
        "PRODUCTS, 4, zstd, 11",
        "TOKENS, 4, snappy, 11",
        "NARROW, 4, snappy, 11",
        "WIDE, 1, snappy, 24",
        "LARGE, 16, snappy, 11"
    })
    void rowGroups_otherTablesAndBlocks_crossNoBlock(BlockTable table, int blockMib, String compression, int blocks) {
        prepareAndCheckBlocks(table, blockMib, compression, blocks);
    }

    private void prepareAndCheckBlocks(BlockTable table, int blockMib, String compression, int blocks) {
        Path input = folder.resolve(table + "-" + blocks);
        table.of(Preparing.session(), MIB * blocks * blockMib, 3)
                .write()
                .mode(SaveMode.Ignore)
                .parquet(input.toString());
        Preparing.Outcome outcome = preparing.run(input, "block: " + blockMib + " MiB\ncompression: " + compression);
        Laid laid = Laid.of(hdfs.files(), outcome.data());
        assertThat(laid.rowGroups()).isGreaterThanOrEqualTo(blocks < 20 ? 10 : 20);
        assertThat(laid.crossing()).isZero();
        assertThat(laid.fill()).isGreaterThanOrEqualTo(0.95);
        assertThat(laid.indexed()).isTrue();
        // A table so small has units of few blocks; RowGroupCutterTest holds one of more than 20 to 1.3.
        assertThat(outcome.encodesPerRowGroup()).isLessThanOrEqualTo(2);
    }

    @Test
    void inspect_foreignTable_reportsTheBlocksOfTheNameNode() throws IOException {
        String stock = hdfs.uri("/stock");
        Preparing.stock(BlockTable.SKEWED.of(Preparing.session(), 12 * MIB, 2), stock, MIB, "snappy");
        Laid laid = Laid.of(hdfs.files(), new org.apache.hadoop.fs.Path(stock));
        assertThat(laid.crossing()).as("else there is nothing to tell").isPositive();
        StringWriter out = new StringWriter();
        CommandLine inspect = new CommandLine(new InspectCommand(JobParts.STORES)).setOut(new PrintWriter(out));
        Path pictures = folder.resolve("pictures");
        assertThat(inspect.execute(stock, "--json", "--pictures", pictures.toString()))
                .isZero();
        JsonNode report = new JsonMapper().readTree(out.toString());
        assertThat(report.get("block").asLong()).isEqualTo(MIB);
        assertThat(report.get("rowGroups").asInt()).isEqualTo(laid.rowGroups());
        assertThat(report.get("crossingRowGroups").asInt()).isEqualTo(laid.crossing());
        assertThat(report.get("weightedFill").asDouble()).isEqualTo(laid.fill(), within(1e-9));
        assertThat(report.get("verdict").asText())
                .startsWith(laid.crossing() + " of " + laid.rowGroups() + " row groups cross");
        assertThat(pictures.resolve("blocks.svg")).content().contains("row group that crosses a block");
    }

    @Test
    void row_largerThanABlock_isRefusedOrHasItsOwnFile() {
        Path input = folder.resolve("one-large-row");
        Preparing.session()
                .range(0, 40, 1, 1)
                .selectExpr("id", "repeat(sha2(cast(id as string), 256), if(id = 17, 60000, 100)) AS text")
                .selectExpr("id", "unhex(text) AS raw")
                .write()
                .parquet(input.toString());
        String small = "block: 64 KiB\ncompression: none";
        assertThatThrownBy(() -> preparing.run(input, small + "\nkey: [id]"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("row 17")
                .hasMessageContaining("of the key (17)")
                .hasMessageContaining("raise prepare.block to 2 MiB");
        assertThatThrownBy(() -> preparing.run(input, small)).hasMessageContaining("row 17: the row takes 1.8 MiB");
        Preparing.Outcome kept = preparing.run(input, small + "\nkey: [id]\non-oversized-row: keep");
        assertThat(kept.notes()).anyMatch(note -> note.startsWith("1 row is larger than a block"));
        assertThat(Laid.of(hdfs.files(), kept.data()).crossing()).isZero();
        assertThat(Preparing.session().read().parquet(kept.data().toString()).count())
                .isEqualTo(40);
    }
}
