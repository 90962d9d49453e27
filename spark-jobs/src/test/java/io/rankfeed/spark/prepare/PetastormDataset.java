package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.spark.run.PreparedTable;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A dataset that petastorm wrote, read by our jobs. */
abstract class PetastormDataset {
    private static final JsonMapper JSON = new JsonMapper();

    /** The folder {@code dataset}, and its values in {@code rows.json}. */
    @TempDir
    static Path written;

    @TempDir
    Path folder;

    @Test
    void dataset_ofPetastorm_isReadAsByItsOwnReader() throws IOException {
        PreparedTable table =
                prepared("sql: SELECT * EXCEPT (s_price), CAST(s_price AS STRING) AS s_price FROM t\nkey: [id]");
        Map<String, Field> fields = new HashMap<>();
        table.manifest().schema().fields().forEach(field -> fields.put(field.name(), field));
        assertThat(fields.get("n_float16")).isEqualTo(new Field("n_float16", DType.FLOAT16, Shape.of(2, 3), false));
        assertThat(fields.get("z_uint64")).isEqualTo(new Field("z_uint64", DType.UINT64, Shape.of(-1, 2), true));
        List<Row> rows = PetastormTables.rows(table);
        JsonNode wanted = JSON.readTree(written.resolve("rows.json").toFile());
        assertThat(rows).hasSize(wanted.size()).hasSize(24);
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            for (Map.Entry<String, JsonNode> value : wanted.get(i).properties()) {
                assertSame(row.getAs(value.getKey()), value.getKey(), value.getValue(), fields.get(value.getKey()));
            }
        }
    }

    PreparedTable prepared(String prepare) {
        return PrepareFixture.prepare(
                folder.resolve("root"), "  t: {petastorm: '" + written.resolve("dataset") + "'}", prepare);
    }

    private static void assertSame(Object got, String name, JsonNode wanted, Field field) throws IOException {
        if (wanted.isNull()) {
            assertThat(got).as(name).isNull();
        } else if (wanted.has("base64")) {
            byte[] bytes = Base64.getDecoder().decode(wanted.get("base64").asText());
            if (name.equals("photo")) {
                assertThat(((byte[]) got).length).as(name).isEqualTo(bytes.length);
                for (int i = 0; i < bytes.length; i++) {
                    assertThat(((byte[]) got)[i] & 0xFF)
                            .as(name)
                            .isBetween((bytes[i] & 0xFF) - 2, (bytes[i] & 0xFF) + 2);
                }
            } else {
                assertThat(name.equals("any_size") ? pixels((byte[]) got) : (byte[]) got)
                        .as(name)
                        .isEqualTo(bytes);
            }
            if (wanted.has("dtype") && !name.equals("any_size")) {
                assertThat(field.dtype().id())
                        .as(name)
                        .isEqualTo(wanted.get("dtype").asText());
            }
        } else if (wanted.isNumber() && got instanceof Number number) {
            assertThat(number.doubleValue()).as(name).isEqualTo(wanted.doubleValue());
            assertThat(number.longValue()).as(name).isEqualTo(wanted.longValue());
        } else {
            assertThat(String.valueOf(got)).as(name).isEqualTo(wanted.asText());
        }
    }

    private static byte[] pixels(byte[] png) throws IOException {
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
        ByteBuffer rgb = ByteBuffer.allocate(3 * image.getWidth() * image.getHeight());
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                int pixel = image.getRGB(x, y);
                rgb.put((byte) (pixel >> 16)).put((byte) (pixel >> 8)).put((byte) pixel);
            }
        }
        return rgb.array();
    }
}
