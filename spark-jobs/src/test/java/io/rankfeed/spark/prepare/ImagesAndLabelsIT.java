package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.run.PreparedTable;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImagesAndLabelsIT {
    private static final String LABELS = "labels: {kind: {from: files, column: \"split(path, '/')[0]\"}}";

    @TempDir
    private Path folder;

    @Test
    void imageFolder_becomesPixelsFilesAndLabelNumbers() throws IOException {
        image("dog/1.png", 0x102030, 2, 2);
        image("cat/2.png", 0xFF8001, 5, 3);
        PreparedTable table = prepare(
                "SELECT path, rf_pixels(content, 4, 2) AS pixels, p.small, rf_image(content) AS same, size.width,"
                        + " rf_label('kind', split(path, '/')[0]) AS label, rf_pack(array(1, -2), 'int8', 2) AS packed"
                        + " FROM (SELECT *, struct(rf_image(content, 3, 3, 'png', 'bicubic') AS small) AS p,"
                        + " rf_image_size(content) AS size FROM files)",
                LABELS);
        assertThat(table.manifest().schema().fields())
                .contains(
                        new Field("pixels", DType.UINT8, Shape.of(2, 4, 3), false),
                        new Field("packed", DType.INT8, Shape.of(2), false),
                        new Field("same", DType.BINARY, Shape.scalar(), false));
        List<Row> rows = rows(table);
        assertThat(rows).extracting(row -> row.<Integer>getAs("label")).containsExactly(0, 1);
        Row cat = rows.get(0);
        assertThat(cat.<Integer>getAs("width")).isEqualTo(5);
        assertThat(cat.<byte[]>getAs("pixels"))
                .startsWith(0xFF, 0x80, 0x01, 0xFF)
                .hasSize(24);
        assertThat(cat.<byte[]>getAs("packed")).containsExactly(1, -2);
        assertThat(cat.<byte[]>getAs("same")).isEqualTo(Files.readAllBytes(folder.resolve("files/cat/2.png")));
        BufferedImage small = ImageIO.read(new ByteArrayInputStream(cat.getAs("small")));
        assertThat(List.of(small.getWidth(), small.getHeight(), small.getRGB(1, 1) & 0xFFFFFF))
                .containsExactly(3, 3, 0xFF8001);
        assertThat(labels(table)).isEqualTo("[\n  \"cat\",\n  \"dog\"\n]\n");
        assertThat(table.manifest().files())
                .anyMatch(file -> file.path().value().equals("labels/kind.json"));
    }

    @Test
    void labels_grownData_keepTheirNumbers() throws IOException {
        String query = "SELECT path, rf_label('kind', split(path, '/')[0]) AS label FROM files";
        image("dog/1.png", 1, 1, 1);
        PreparedTable first = prepare(query, LABELS);
        image("cat/2.png", 1, 1, 1);
        image("ant/3.png", 1, 1, 1);
        PreparedTable second = prepare(query, LABELS.replace("]\"}", "]\", after: " + first.id() + "}"));
        assertThat(rows(second)).extracting(row -> row.<Integer>getAs("label")).containsExactly(1, 2, 0);
        assertThat(labels(second)).isEqualTo("[\n  \"dog\",\n  \"ant\",\n  \"cat\"\n]\n");
        assertThatThrownBy(() -> prepare(query, LABELS.replace("]\"}", "]\", after: 0123456789abcdef}")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("name a prepared table of this dataset");
        assertThatThrownBy(() -> prepare("SELECT path, rf_label('kind', 'cow') AS label FROM files", LABELS))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'cow' is not a label kind; the expression has no columns");
        assertThatThrownBy(
                        () -> prepare("SELECT path, rf_label('kind', concat(path, '?')) AS label FROM files", LABELS))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("files/ant/3.png")
                .hasMessageContaining("'ant/3.png?' is not a label kind");
        assertThatThrownBy(() -> prepare("SELECT path, rf_label('kinds', 'cat') AS label FROM files", LABELS))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean 'kind'");
    }

    @Test
    void images_brokenOrTooLarge_haveTheirOwnReasons() throws IOException {
        image("a/1.png", 1, 1, 1);
        Path file = folder.resolve("files/a/1.png");
        byte[] png = Files.readAllBytes(file);
        byte[] huge = png.clone();
        // Width and height of the header, whose checksum is behind it.
        huge[16] = 0x7F;
        huge[20] = 0x7F;
        CRC32 checksum = new CRC32();
        checksum.update(huge, 12, 17);
        ByteBuffer.wrap(huge).putInt(29, (int) checksum.getValue());
        Files.write(file, huge);
        assertThatThrownBy(() -> prepare("SELECT path, rf_image(content) AS x FROM files", "key: [path]"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("files/a/1.png")
                .hasMessageContaining("an image of 2130706433 x 2130706433 pixels, more than 67108864");
        Files.writeString(folder.resolve("files/a/2.png"), "GIF89a");
        Files.write(folder.resolve("files/a/3.png"), png);
        PreparedTable kept =
                prepare("SELECT path, rf_image(content) AS x FROM files", "quarantine-at-most: 1\non-bad-row: drop");
        assertThat(kept.manifest().badRows())
                .containsExactly(Map.entry("image-broken", 1L), Map.entry("image-too-large", 1L));
        Files.delete(file);
        assertThatThrownBy(() -> prepare("SELECT path, rf_pixels(content, 1, 1) AS x FROM files", "key: [path]"))
                .hasMessageContaining("is neither a PNG nor a JPEG");
        assertThatThrownBy(() -> prepare("SELECT path, rf_image(path) AS x FROM files", "key: [path]"))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void files_empty_areRowsOfLengthZeroAndBrokenImages() throws IOException {
        image("a/1.png", 1, 1, 1);
        Files.write(folder.resolve("files/a/0.png"), new byte[0]);
        Files.write(folder.resolve("files/a/2.png"), new byte[0]);
        List<Row> rows = rows(prepare("SELECT path, length, content FROM files", "key: [path]"));
        assertThat(rows).extracting(row -> row.<String>getAs("path")).containsExactly("a/0.png", "a/1.png", "a/2.png");
        assertThat(rows.get(0).<Long>getAs("length")).isZero();
        assertThat(rows.get(0).<byte[]>getAs("content")).isEmpty();
        assertThat(rows.get(1).<byte[]>getAs("content"))
                .hasSize(rows.get(1).<Long>getAs("length").intValue());
        PreparedTable kept = prepare(
                "SELECT path, rf_image(content) AS x FROM files", "quarantine-at-most: 1\non-bad-row: quarantine");
        assertThat(rows(kept)).extracting(row -> row.<String>getAs("path")).containsExactly("a/1.png");
        assertThat(kept.manifest().badRows()).containsExactly(Map.entry("image-broken", 2L));
        assertThatThrownBy(() -> prepare("SELECT path, rf_pixels(content, 1, 1) AS x FROM files", "key: [path]"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("is empty (0 bytes)");
    }

    /** docs/transforms.md, "Lists of images". */
    @Test
    void imageList_withNull_isABadRow() throws IOException {
        image("a/1.png", 1, 1, 1);
        byte[] png = Files.readAllBytes(folder.resolve("files/a/1.png"));
        String images = "array(content, CAST(NULL AS BINARY), content)";
        assertThatThrownBy(() -> prepare("SELECT path, " + images + " AS x FROM files", "key: [path]"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("files/a/1.png, row 0: column 'x' has a null inside the list")
                .hasMessageContaining("1 bad row (unfit-tensor 1)");
        PreparedTable dropped = prepare(
                "SELECT path, " + images + " AS x FROM files WHERE true UNION ALL"
                        + " SELECT 'b', array(content) FROM files",
                "key: [path]\nquarantine-at-most: 1\non-bad-row: drop");
        assertThat(rows(dropped)).extracting(row -> row.<String>getAs("path")).containsExactly("b");
        assertThat(dropped.manifest().badRows()).containsExactly(Map.entry("unfit-tensor", 1L));
        String filled = "transform(" + images + ", x -> coalesce(x, X''))";
        Row row = rows(prepare("SELECT path, " + filled + " AS x FROM files", "key: [path]"))
                .get(0);
        assertThat(PackedList.of(List.of(png, new byte[0], png))).isEqualTo(row.<byte[]>getAs("x"));
    }

    @Test
    void job_allRowsBad_namesTheFirstAndCountsByReason() throws IOException {
        Files.createDirectories(folder.resolve("files"));
        Files.write(folder.resolve("files/0.png"), new byte[0]);
        Files.writeString(folder.resolve("files/1.png"), "GIF89a");
        for (String onBadRow : List.of("drop", "quarantine", "fail")) {
            assertThatThrownBy(
                            () -> prepare("SELECT path, rf_image(content) AS x FROM files", "on-bad-row: " + onBadRow))
                    .as(onBadRow)
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("files/0.png, row 0: an image is empty (0 bytes); ")
                    .hasMessageContaining("2 bad rows (image-broken 2)");
        }
    }

    @Test
    void nestedLists_withoutShape_areAConfigurationError() throws IOException {
        image("a/1.png", 1, 1, 1);
        String nested = "array(array(1, 2), array(3, 4))";
        assertThatThrownBy(() -> prepare(
                        "SELECT path, " + nested + " AS x FROM files", "quarantine-at-most: 1\non-bad-row: quarantine"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("column 'x' has lists nested 2 deep")
                .hasMessageContaining("prepare.tensors.x.shape");
        assertThatThrownBy(() -> prepare("SELECT path, rf_pack(" + nested + ", 'int8') AS x FROM files", "key: [path]"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("lists nested 2 deep");
    }

    @Test
    void jpeg_truncated_isReadOnlyIfTolerated() throws IOException {
        byte[] file = Files.readAllBytes(Path.of("../schema/image/src/test/resources/images/orientation-6.jpg"));
        Files.createDirectories(folder.resolve("files"));
        Files.write(folder.resolve("files/a.jpg"), Arrays.copyOf(file, file.length - 2));
        String query = "SELECT path, rf_pixels(content, 23, 37) AS x FROM files";
        assertThatThrownBy(() -> prepare(query, "key: [path]")).hasMessageContaining("is truncated");
        Row row = rows(prepare(query, "images: {tolerate-truncated: true, orientation: apply}"))
                .get(0);
        byte[] turned = Files.readAllBytes(Path.of("../schema/image/src/test/resources/images/orientation-6.jpg.rgb"));
        assertThat(row.<byte[]>getAs("x")).isEqualTo(turned);
    }

    @ParameterizedTest
    @ValueSource(strings = "rf_pixels(content, 1, %d)")
    void imageSide_above16384_isRefused(String call) throws IOException {
        image("a/1.png", 1, 1, 1);
        String most = "SELECT path, " + call.formatted(16_384) + " AS x FROM files";
        assertThat(rows(prepare(most, "key: [path]"))).hasSize(1);
        for (int side : new int[] {0, 16_385}) {
            assertThatThrownBy(
                            () -> prepare("SELECT path, " + call.formatted(side) + " AS x FROM files", "key: [path]"))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("is " + side + " (int); it must be a whole number from 1 to 16384");
        }
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(strings = {"rf_pixels(content, %d, 1)", "rf_image(content, %d, 1, 'png')"})
    void imageSide_otherAbove16384_isRefused(String call) throws IOException {
        imageSide_above16384_isRefused(call);
    }

    private void image(String name, int rgb, int width, int height) throws IOException {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < width * height; i++) {
            image.setRGB(i % width, i / width, rgb);
        }
        Path file = folder.resolve("files").resolve(name);
        Files.createDirectories(file.getParent());
        ImageIO.write(image, "png", file.toFile());
    }

    private PreparedTable prepare(String sql, String more) {
        return PrepareFixture.prepare(
                folder.resolve("out"),
                "  files: {binary: '" + folder.resolve("files") + "'}",
                "sql: \"" + sql + "\"\n" + more);
    }

    private static List<Row> rows(PreparedTable table) {
        return PrepareFixture.session()
                .read()
                .parquet(PrepareFixture.folder(table).resolve("data").toString())
                .orderBy("path")
                .collectAsList();
    }

    private static String labels(PreparedTable table) throws IOException {
        return Files.readString(PrepareFixture.folder(table).resolve("labels/kind.json"));
    }
}
