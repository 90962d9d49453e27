package io.rankfeed.export.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class FormatRowTest {
    private static final byte[] EURO = "a€".getBytes(StandardCharsets.UTF_8);

    private final FormatRow row = new FormatRow(new SampleSchema(List.of(
            new Field("text", DType.STRING, Shape.scalar(), false),
            new Field("texts", DType.STRING, Shape.of(Shape.VARIABLE), false),
            new Field("bytes", DType.BINARY, Shape.scalar(), false))));

    @Test
    void string_thatIsNotUtf8_isRefusedWithColumnAndRow() {
        row.begin(7);
        row.putBytes(0, EURO, 0, EURO.length);
        row.putBytes(0, EURO, 0, 0);
        row.putBytes(2, EURO, 0, 2);
        refused("text", EURO, 0, 2);
        refused("text", new byte[] {'a', (byte) 0xED, (byte) 0xA0, (byte) 0x80}, 0, 4);
        byte[] list = PackedList.of(List.of(EURO, new byte[0]));
        row.putBytes(1, list, 0, list.length);
        // One character in two items.
        byte[] torn = PackedList.of(List.of(new byte[] {EURO[1]}, new byte[] {EURO[2], EURO[3]}));
        refused("texts", torn, 0, torn.length);
    }

    private void refused(String column, byte[] value, int offset, int lengthBytes) {
        assertThatThrownBy(() -> row.putBytes(column.equals("text") ? 0 : 1, value, offset, lengthBytes))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("column '" + column + "': the string in row 7 is not UTF-8");
    }
}
