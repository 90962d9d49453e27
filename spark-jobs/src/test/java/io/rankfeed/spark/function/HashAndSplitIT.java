package io.rankfeed.spark.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.schema.digest.Xxh64;
import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashAndSplitIT {
    @Test
    void hash_ofAKey_isItsRowId() {
        assertThat(FunctionSession.value("rf_hash(id + 7, concat('ä', id), true, X'00FF')"))
                .isEqualTo(new KeyEncoding()
                        .integer(7)
                        .string("ä0")
                        .bool(true)
                        .binary(new byte[] {0, -1})
                        .rowId());
        assertThat(FunctionSession.value("rf_hash(cast(id + 7 as tinyint))"))
                .isEqualTo(new KeyEncoding().integer(7).rowId());
    }

    @Test
    void hash_ofNull_isItsOwn() {
        assertThat(FunctionSession.value("rf_hash(if(id = 0, null, id), 1)"))
                .isEqualTo(Xxh64.hash(new byte[] {0, 1, 1, 0, 0, 0, 0, 0, 0, 0}, 0));
        assertThat(FunctionSession.value("rf_hash(null) = rf_hash('')")).isEqualTo(false);
    }

    @Test
    void split_otherShares_keepsKeysOfUnchangedParts() {
        List<Row> rows = FunctionSession.rows(
                "SELECT rf_split('train=80,valid=10,test=10', id) AS a, rf_split('train=80, rest=20', id) AS b,"
                        + " rf_split('all=1, none=0', id) AS c FROM range(20000)");
        double train =
                rows.stream().filter(row -> row.getString(0).equals("train")).count() / 20000.0;
        double test =
                rows.stream().filter(row -> row.getString(0).equals("test")).count() / 20000.0;
        assertThat(train).isCloseTo(0.8, within(0.02));
        assertThat(test).isCloseTo(0.1, within(0.02));
        for (Row row : rows) {
            assertThat(row.getString(0).equals("train"))
                    .isEqualTo(row.getString(1).equals("train"));
            assertThat(row.getString(2)).isEqualTo("all");
        }
    }

    @Test
    void split_ofAKey_isTheStoredOne() {
        assertThat(FunctionSession.rows("SELECT rf_split('a=1, b=1, c=1', id) FROM range(12)").stream()
                        .map(row -> row.getString(0))
                        .toList())
                .isEqualTo(GOLDEN_SPLIT);
    }

    private static final List<String> GOLDEN_SPLIT =
            List.of("a", "b", "a", "c", "c", "b", "b", "b", "b", "a", "c", "c");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rf_hash()",
                "rf_hash(cast(id as double))",
                "rf_hash(array(id))",
                "rf_split('train=80')",
                "rf_split(cast(id as string), id)",
                "rf_split('train', id)",
                "rf_split('train=1, train=2', id)",
                "rf_split('train=0', id)",
                "rf_split('train=-1', id)"
            })
    void call_wrong_isRefusedBeforeAnythingRuns(String call) {
        assertThatThrownBy(() -> FunctionSession.session().sql("SELECT " + call + " FROM range(1)"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("docs/functions.md");
    }
}
