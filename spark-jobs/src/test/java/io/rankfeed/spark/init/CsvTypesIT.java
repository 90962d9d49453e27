package io.rankfeed.spark.init;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.prepare.PrepareFixture;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

class CsvTypesIT {
    @Test
    void column_hasTheNarrowestTypeOfItsValues() {
        assertThat(type("1", "-20", "0")).isEqualTo("BIGINT");
        assertThat(type("1", "2.5", "nan")).isEqualTo("DOUBLE");
        assertThat(type("true", "FALSE")).isEqualTo("BOOLEAN");
        assertThat(type("1", "007")).isEqualTo("STRING");
    }

    @Test
    void number_beforeALineEnd_isText() {
        assertThat(type("1", "2\n")).isEqualTo("STRING");
        assertThat(type("2.5\n")).isEqualTo("STRING");
        assertThat(type("true\n")).isEqualTo("STRING");
        assertThat(type("x\n1")).isEqualTo("STRING");
    }

    private static String type(String... values) {
        Dataset<Row> texts = PrepareFixture.session()
                .createDataset(List.of(values), Encoders.STRING())
                .toDF("c");
        return CsvTypes.of(texts, Set.of("c")).ofColumns().get("c");
    }
}
