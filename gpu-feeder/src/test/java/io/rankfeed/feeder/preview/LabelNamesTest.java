package io.rankfeed.feeder.preview;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LabelNamesTest {
    @Test
    void column_labelCall_hasNamesOfItsList() {
        String sql = "SELECT id, RF_LABEL( 'kind' , coalesce(kind, ')''x')) AS `label_id`, upper(a) AS b,"
                + " rf_label('color', c) + 1 AS d, rf_label('size', s) AS size FROM t";

        assertThat(LabelNames.columns(List.of("x", sql))).isEqualTo(Map.of("label_id", "kind", "size", "size"));
    }

    @Test
    void column_namedAgain_hasNoNames() {
        assertThat(LabelNames.columns(List.of("SELECT n + 1 AS n FROM (SELECT rf_label('kind', k) AS n FROM t)")))
                .isEmpty();
        assertThat(LabelNames.columns(List.of("rf_label('kind', k", "rf_label('kind', k)")))
                .isEmpty();
    }
}
