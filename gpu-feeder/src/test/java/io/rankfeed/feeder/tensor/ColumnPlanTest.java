package io.rankfeed.feeder.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.NumberBits;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ColumnPlanTest {
    private static final SampleSchema SCHEMA = new SampleSchema(List.of(
            new Field("pixels", DType.UINT8, Shape.of(3, 5), false),
            new Field("tokens", DType.INT32, Shape.of(Shape.VARIABLE), true),
            new Field("boxes", DType.FLOAT32, Shape.of(Shape.VARIABLE, 4), false),
            new Field("text", DType.STRING, Shape.scalar(), false)));
    private static final Map<String, Long> MAX_LENGTHS = Map.of("tokens", 9L, "boxes", 8L, "text", 100L);

    @Test
    void rowKeys_anySelection_areLast() {
        for (Optional<List<ColumnRequest>> columns :
                List.of(Optional.<List<ColumnRequest>>empty(), Optional.of(List.of(ColumnRequest.of("tokens"))))) {
            ColumnSelection without = new ColumnSelection(columns, Optional.empty(), false);
            ColumnSelection with = new ColumnSelection(columns, Optional.empty(), true);
            List<TensorSpec> others =
                    ColumnPlan.of(SCHEMA, MAX_LENGTHS, 10, without).tensors();
            List<TensorSpec> tensors =
                    ColumnPlan.of(SCHEMA, MAX_LENGTHS, 10, with).tensors();
            assertThat(tensors).hasSize(others.size() + 1).startsWith(others.toArray(TensorSpec[]::new));
            assertThat(tensors.getLast().name()).isEqualTo("_row_key");
            assertThat(tensors.getLast().dtype()).isEqualTo(DType.UINT64);
        }
    }

    @Test
    void columns_all_haveRowIdFirst() {
        ColumnPlan plan = ColumnPlan.of(SCHEMA, MAX_LENGTHS, 10, ColumnSelection.all());

        assertThat(plan.tensors())
                .extracting(TensorSpec::name)
                .containsExactly("row_id", "pixels", "tokens", "tokens.valid", "boxes", "text");
        assertThat(plan.tensors())
                .extracting(TensorSpec::layout)
                .containsExactly(Layout.FIXED, Layout.FIXED, Layout.PADDED, Layout.FIXED, Layout.PADDED, Layout.RAGGED);
    }

    @Test
    void parts_areAlignedAndDisjoint() {
        ColumnPlan plan = ColumnPlan.of(SCHEMA, MAX_LENGTHS, 10, ColumnSelection.all());

        long end = 0;
        for (TensorSpec tensor : plan.tensors()) {
            assertThat(tensor.valuesOffset()).isGreaterThanOrEqualTo(end).matches(offset -> offset % 64 == 0);
            end = tensor.valuesOffset() + tensor.valuesCapacityBytes();
            if (tensor.layout() != Layout.FIXED) {
                assertThat(tensor.sideOffset()).isGreaterThanOrEqualTo(end).matches(offset -> offset % 64 == 0);
                end = tensor.sideOffset() + tensor.sideCapacityBytes();
            }
        }
        assertThat(plan.slotBytes()).isGreaterThanOrEqualTo(end).matches(bytes -> bytes % 64 == 0);
    }

    @Test
    void capacities_holdFullBatchOfLongestRows() {
        List<TensorSpec> tensors =
                ColumnPlan.of(SCHEMA, MAX_LENGTHS, 10, ColumnSelection.all()).tensors();

        assertThat(tensors.get(1).valuesCapacityBytes()).isEqualTo(10 * 15);
        assertThat(tensors.get(2).valuesCapacityBytes()).isEqualTo(10 * 9 * 4);
        assertThat(tensors.get(2).sideCapacityBytes()).isEqualTo(10 * 4);
        assertThat(tensors.get(4).valuesCapacityBytes()).isEqualTo(10 * 2 * 16);
        assertThat(tensors.get(4).innerDims()).containsExactly(4);
        assertThat(tensors.get(5).valuesCapacityBytes()).isEqualTo(10 * 100);
        assertThat(tensors.get(5).sideCapacityBytes()).isEqualTo(11 * 8);
    }

    @Test
    void paddedColumn_empty_hasWidthOne() {
        ColumnPlan plan = ColumnPlan.of(SCHEMA, Map.of(), 10, ColumnSelection.of(List.of(ColumnRequest.of("tokens"))));

        assertThat(plan.tensors().getFirst().valuesCapacityBytes()).isEqualTo(10 * 4);
        assertThat(plan.tensors().getFirst().maxLength()).isZero();
    }

    @Test
    void columns_named_keepTheirOrder() {
        assertThat(names(ColumnRequest.of("text"), ColumnRequest.of("pixels"))).containsExactly("text", "pixels");
        assertThat(names(ColumnRequest.of("text"), ColumnRequest.of("row_id"))).containsExactly("row_id", "text");
    }

    @Test
    void request_invalid_isRefusedWithValidOnes() {
        refused(ColumnRequest.of("pixel"), "did you mean 'pixels'?");
        refused(ColumnRequest.of("pixels", Layout.PADDED), "ask for fixed");
        refused(ColumnRequest.of("tokens", Layout.FIXED), "ask for padded or ragged");
        refused(ColumnRequest.of("text", Layout.PADDED), "ask for ragged");
        refused(ColumnRequest.padded("tokens", 1L << 31), "padValue 2147483648 is not a valid int32");
        assertThatThrownBy(() -> names(ColumnRequest.of("text"), ColumnRequest.of("text")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> names()).isInstanceOf(ConfigException.class);
    }

    @Test
    void table_widerThanBatch_isAccepted() {
        List<Field> fields = new ArrayList<>();
        for (int c = 0; c < 3000; c++) {
            fields.add(new Field("c" + c, DType.FLOAT32, Shape.scalar(), false));
        }
        SampleSchema wide = new SampleSchema(fields);
        assertThatThrownBy(() -> ColumnPlan.of(wide, Map.of(), 10, ColumnSelection.all()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("3001 tensors")
                .hasMessageContaining("at most 1024")
                .hasMessageContaining("Feed(columns=[…])");
        List<ColumnRequest> some = new ArrayList<>();
        fields.subList(1976, 3000).forEach(field -> some.add(ColumnRequest.of(field.name())));
        assertThat(ColumnPlan.of(wide, Map.of(), 10, ColumnSelection.of(some)).tensors())
                .hasSize(1024);
        some.add(ColumnRequest.of("row_id"));
        assertThatThrownBy(() -> ColumnPlan.of(wide, Map.of(), 10, ColumnSelection.of(some)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("1025 tensors");
    }

    @Test
    void name_tooLong_isRefusedWithRemedy() {
        String name = "n".repeat(59);
        SampleSchema schema = new SampleSchema(List.of(
                new Field(name, DType.INT32, Shape.scalar(), true),
                new Field("n".repeat(58), DType.INT32, Shape.scalar(), true),
                new Field("m".repeat(63), DType.INT32, Shape.scalar(), false)));
        assertThatThrownBy(() -> ColumnPlan.of(schema, Map.of(), 10, ColumnSelection.all()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(name + ".valid")
                .hasMessageContaining("65 bytes, at most 64; rename the column in the job's select (at most 58");
        assertThat(ColumnPlan.of(
                                schema,
                                Map.of(),
                                10,
                                ColumnSelection.of(
                                        List.of(ColumnRequest.of("n".repeat(58)), ColumnRequest.of("m".repeat(63)))))
                        .tensors())
                .hasSize(3);
    }

    @Test
    void slot_above62Bits_isRefused() {
        assertThatThrownBy(() -> ColumnPlan.of(
                        SCHEMA,
                        Map.of("boxes", (long) Integer.MAX_VALUE),
                        Integer.MAX_VALUE,
                        ColumnSelection.of(List.of(ColumnRequest.of("boxes")))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("boxes");
    }

    @Test
    void padBits_everyType_areThoseOfTheType() {
        assertThat(NumberBits.of("column 'c': padValue", DType.INT16, BigDecimal.valueOf(-100)) & 0xFFFF)
                .isEqualTo(0xFF9C);
        assertThat(NumberBits.of("column 'c': padValue", DType.FLOAT32, new BigDecimal("-1.5")))
                .isEqualTo(0xBFC00000L);
        assertThat(NumberBits.of("column 'c': padValue", DType.FLOAT16, BigDecimal.ONE))
                .isEqualTo(0x3C00L);
        assertThat(NumberBits.of("column 'c': padValue", DType.BFLOAT16, BigDecimal.ONE))
                .isEqualTo(0x3F80L);
        assertThat(NumberBits.of("column 'c': padValue", DType.UINT64, new BigDecimal("18446744073709551615")))
                .isEqualTo(-1L);
        assertThatThrownBy(() -> NumberBits.of("column 'c': padValue", DType.FLOAT16, BigDecimal.valueOf(70000)))
                .isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> NumberBits.of("column 'c': padValue", DType.UINT8, new BigDecimal("0.5")))
                .isInstanceOf(ConfigException.class);
    }

    private static List<String> names(ColumnRequest... requests) {
        return ColumnPlan.of(SCHEMA, MAX_LENGTHS, 10, ColumnSelection.of(List.of(requests))).tensors().stream()
                .map(TensorSpec::name)
                .toList();
    }

    private static void refused(ColumnRequest request, String message) {
        assertThatThrownBy(() -> names(request))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }
}
