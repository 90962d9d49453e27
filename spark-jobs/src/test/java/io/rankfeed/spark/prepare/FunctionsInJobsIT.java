package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.run.PreparedTable;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FunctionsInJobsIT {
    @TempDir
    private Path folder;

    @Test
    void functions_inQueryAndConditions_needNoKey() {
        Path source = PrepareFixture.table(folder.resolve("in"), 300, 2);
        PreparedTable table = PrepareFixture.prepare(
                folder.resolve("out"),
                "  t: {parquet: '" + source + "', where: \"rf_split('a=1, b=1', id) = 'a'\"}",
                "select: {from: t, columns: [id, 'rf_hash(id) AS hash'], where: 'rf_hash(label, id) > 0'}");
        List<Row> rows = PrepareFixture.session()
                .read()
                .parquet(PrepareFixture.folder(table).resolve("data").toString())
                .selectExpr("hash = rf_hash(id) AND rf_hash(id % 3 = 0, id) > 0 AND rf_split('a=1, b=1', id) = 'a'")
                .collectAsList();
        assertThat(rows).hasSizeBetween(40, 110).allMatch(row -> row.getBoolean(0));
    }
}
