package io.rankfeed.schema.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyEncodingTest {
    private final KeyEncoding key = new KeyEncoding();

    @Test
    void everyTypeHasItsBytes() {
        key.integer(42).string("aé").binary(new byte[] {0, -1}).bool(true);
        assertThat(HexFormat.of().formatHex(key.toBytes()))
                .isEqualTo("012a00000000000000020300000061c3a9030200000000ff0401");
        assertThat(key.rowId()).isEqualTo(0x3964f9836bd0027bL);
    }

    @Test
    void aRowWithoutKeyIsItsFileAndItsIndex() {
        key.address("a/b.jsonl", 7);
        assertThat(HexFormat.of().formatHex(key.toBytes())).isEqualTo("0209000000612f622e6a736f6e6c010700000000000000");
        assertThat(key.rowId()).isEqualTo(0xd1df4126651d1930L);
    }

    @Test
    void valuesAreEncodedByTheirType() {
        for (Object value : List.of((byte) 5, (short) 5, 5, 5L)) {
            assertThat(key.clear().value("k", value).toBytes())
                    .isEqualTo(new KeyEncoding().integer(5).toBytes());
        }
        assertThat(key.clear().value("k", "5").toBytes())
                .isNotEqualTo(new KeyEncoding().integer(5).toBytes());
    }

    @Test
    void whatCanBeNoKeyIsRefused() {
        assertThatThrownBy(() -> key.value("task_id", null))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("'task_id'");
        for (Object value : List.of(1.0, 1.0f, BigDecimal.ONE, LocalDate.EPOCH)) {
            assertThatThrownBy(() -> key.value("score", value))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("'score'");
        }
    }

    @Test
    void text_halfASurrogatePair_isRefused() {
        assertThatThrownBy(() -> key.string("a\ud800")).isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> key.string("?\udc00")).isInstanceOf(CorruptDataException.class);
        assertThat(key.clear().string("why?").toBytes()).hasSize(9);
    }

    @Test
    void aLongKeyGrowsItsBuffer() {
        String text = "x".repeat(100_000);
        assertThat(key.integer(1).string(text).integer(2).toBytes()).hasSize(9 + 5 + 100_000 + 9);
        assertThat(key.clear().string(text).rowId())
                .isEqualTo(new KeyEncoding().string(text).rowId());
    }
}
