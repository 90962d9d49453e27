package io.rankfeed.export.format.store;

import static io.rankfeed.export.format.store.StoreFiles.floats;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.export.format.DrawnRows;
import io.rankfeed.export.format.FormatOptions;
import io.rankfeed.export.format.WrittenSet;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnnTest {
    private static final Field X = new Field("X", DType.FLOAT32, Shape.of(2, 3), false);
    private static final Field Y = new Field("label", DType.INT16, Shape.of(2), false);
    private static final Field WIDE = new Field("y", DType.INT64, Shape.scalar(), false);

    @TempDir
    private Path folder;

    @Test
    void features_labelsAndIds_areRawFloat32() throws IOException {
        DrawnRows drawn = DrawnRows.of(new SampleSchema(List.of(Y, X)), 500, Seed.of(EnnTest.class));
        for (int at = 3; at < 500 * 24; at += 4) { // a magnitude from 0.5 to 2: float32 is for it
            byte[] x = drawn.values().get(at / 24).get(1);
            x[at % 24] = (byte) ((x[at % 24] & 0x80) | 0x3F);
        }
        JsonNode meta = write(drawn, FormatOptions.none());

        ByteBuffer features = file("features.mmt");
        ByteBuffer labels = file("labels.mmt");
        ByteBuffer ids = file("row_ids.mmt");
        for (int row = 0; row < 500; row++) {
            byte[] vector = new byte[24];
            features.get(vector);
            assertThat(vector).isEqualTo(drawn.values().get(row).get(1));
            ByteBuffer label = ByteBuffer.wrap(drawn.values().get(row).get(0)).order(ByteOrder.LITTLE_ENDIAN);
            assertThat(new float[] {labels.getFloat(), labels.getFloat()})
                    .containsExactly(label.getShort(), label.getShort());
            assertThat(ids.getLong()).isEqualTo(drawn.ids().get(row));
        }
        assertThat(features.remaining() + labels.remaining() + ids.remaining()).isZero();
        assertThat(meta.path("N").intValue()).isEqualTo(500);
        assertThat(meta.path("feature_dim").intValue()).isEqualTo(6);
        assertThat(meta.path("label_shape")).hasToString("[2]");
        assertThat(meta.path("features_dtype").textValue()).isEqualTo("float32");
        assertThat(meta.path("train_end").intValue()).isEqualTo(500);
    }

    @Test
    void scale_isThatOfFiniteFeaturesAndLabels() throws IOException {
        JsonNode meta = write(rows(List.of(floats(0, -5, 0.25f, 3, 1, 2)), -7), FormatOptions.none());

        assertThat(meta.path("has_scale").booleanValue()).isTrue();
        assertThat(meta.path("has_nonfinite").booleanValue()).isFalse();
        assertThat(meta.path("scale_max_abs").doubleValue()).isEqualTo(7);
        assertThat(meta.path("scale_min_value").doubleValue()).isEqualTo(-7);
        assertThat(meta.path("scale_max_value").doubleValue()).isEqualTo(3);
        assertThat(meta.path("scale_min_positive").doubleValue()).isEqualTo(0.25);
    }

    @Test
    void float64_isStoredWhereFloat32WouldNotDo() throws IOException {
        byte[] usual = floats(1, 2, 3, 4, 5, 6);
        byte[] infinite = floats(1, 2, 3, 4, 5, Float.NEGATIVE_INFINITY);
        byte[] tiny = floats(1, 2, 3, 4, 5, Float.MIN_VALUE);
        FormatOptions none = FormatOptions.none();

        assertThat(dtype(rows(List.of(usual), 1 << 24), none)).isEqualTo("float32");
        assertThat(dtype(rows(List.of(usual), (1 << 24) + 1), none)).isEqualTo("float64");
        assertThat(file("labels.mmt").getDouble()).isEqualTo((1 << 24) + 1);
        assertThat(dtype(rows(List.of(usual, infinite), 1), none)).isEqualTo("float64");
        assertThat(file("features.mmt").getDouble(11 * 8)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(dtype(rows(List.of(tiny), 1), none)).isEqualTo("float32");
        assertThat(dtype(rows(List.of(tiny), 1), none.with("underflow", "forbid")))
                .isEqualTo("float64");
        assertThat(dtype(rows(List.of(usual), 1), none.with("dtype", "float64")))
                .isEqualTo("float64");
    }

    @Test
    void float64Column_isFloat32UnlessItsScaleForbids() throws IOException {
        SampleSchema schema = new SampleSchema(List.of(new Field("x", DType.FLOAT64, Shape.scalar(), false)));
        FormatOptions none = FormatOptions.none();

        assertThat(dtype(StoreFiles.rows(schema, List.of(List.of(doubles(0.1)))), none))
                .isEqualTo("float32");
        assertThat(file("features.mmt").getFloat()).isEqualTo(0.1f);
        assertThat(dtype(StoreFiles.rows(schema, List.of(List.of(doubles(1e39)))), none))
                .isEqualTo("float64");
        assertThat(file("features.mmt").getDouble()).isEqualTo(1e39);
        assertThat(folder.resolve("train/labels.mmt")).doesNotExist();
    }

    @Test
    void validation_isTheTailRoundedHalfToEven() throws IOException {
        JsonNode meta = write(
                rows(Collections.nCopies(5, new byte[24]), 1),
                FormatOptions.none().with("validation", "0.5"));

        assertThat(meta.path("train_end").intValue()).isEqualTo(3);
        assertThat(meta.path("val_start").intValue()).isEqualTo(3);
        assertThat(meta.path("val_end").intValue()).isEqualTo(5);
        assertThat(meta.path("fractions")).hasToString("[0.5,0.5]");
    }

    @Test
    void split_withoutRows_hasNoScale() throws IOException {
        JsonNode meta = write(rows(List.of(), 1), FormatOptions.none());

        assertThat(meta.path("has_scale").booleanValue()).isFalse();
        assertThat(meta.path("scale_max_abs").isNull()).isTrue();
        assertThat(file("features.mmt").remaining()).isZero();
    }

    @Test
    void integer_thatFloat64Rounds_isRefused() {
        assertThatThrownBy(() -> write(rows(List.of(floats(1, 2, 3, 4, 5, 6)), (1L << 53) + 1), FormatOptions.none()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("column 'y': row 1000 has an integer beyond 2^53");
    }

    @Test
    void column_thatENNCannotHold_isRefused() {
        FormatOptions options = FormatOptions.none().with("features", "X, more");
        for (Field field : List.of(
                new Field("more", DType.FLOAT32, Shape.of(Shape.VARIABLE), false),
                new Field("more", DType.FLOAT32, Shape.of(2), true),
                new Field("more", DType.STRING, Shape.scalar(), false))) {
            DrawnRows drawn = StoreFiles.rows(new SampleSchema(List.of(X, field)), List.of());
            assertThatThrownBy(() -> new Enn().check(WrittenSet.set(drawn, 1, options)))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("format enn cannot store column 'more'");
        }
        Field other = new Field("x", DType.FLOAT32, Shape.scalar(), false);
        DrawnRows two = StoreFiles.rows(new SampleSchema(List.of(X, other)), List.of());
        assertThatThrownBy(() -> new Enn().check(WrittenSet.set(two, 1, FormatOptions.none())))
                .hasMessageContaining(
                        "more than one column has a name that ENN knows as features; set the option features");
    }

    @Test
    void rowIds_ofAColumnThatIsAFeatureToo_areIntegers() {
        DrawnRows drawn = StoreFiles.rows(new SampleSchema(List.of(X, Y)), List.of());
        for (String column : List.of("X", "label")) {
            FormatOptions options = FormatOptions.none().with("row-ids", column);
            assertThatThrownBy(() -> new Enn().check(WrittenSet.set(drawn, 1, options)))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("format enn cannot store column '" + column + "'")
                    .hasMessageContaining("the id of a row is an integer");
        }
    }

    private String dtype(DrawnRows drawn, FormatOptions options) throws IOException {
        return write(drawn, options).path("features_dtype").textValue();
    }

    private JsonNode write(DrawnRows drawn, FormatOptions options) throws IOException {
        StoreFiles.write(new Enn(), drawn, options, folder);
        return new JsonMapper().readTree(folder.resolve("train/meta.json").toFile());
    }

    private static DrawnRows rows(List<byte[]> features, long label) {
        List<List<byte[]>> rows = new ArrayList<>();
        byte[] bytes = ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(label)
                .array();
        features.forEach(feature -> rows.add(List.of(feature, bytes)));
        return StoreFiles.rows(new SampleSchema(List.of(X, WIDE)), rows);
    }

    private ByteBuffer file(String name) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(folder.resolve("train").resolve(name)))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] doubles(double value) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putDouble(value)
                .array();
    }
}
