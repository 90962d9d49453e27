package io.rankfeed.export.petastorm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;

class CommonMetadataTest {
    private static final SampleSchema SCHEMA = new SampleSchema(List.of(
            new Field("id", DType.INT64, Shape.scalar(), false),
            new Field("text", DType.STRING, Shape.scalar(), true),
            new Field("tokens", DType.UINT16, Shape.of(-1), false)));

    @Test
    void metadata_writtenAndRead_keepsTheFilesOwn() throws IOException {
        byte[] file = file();
        assertThat(CommonMetadata.unischema(file, "f")).isEqualTo(PetastormTable.unischema("a-b", SCHEMA));
        assertThat(PetastormTable.unischema("a-b", SCHEMA).name()).isEqualTo("a_b");
        assertThat(PetastormTable.unischema("1b", SCHEMA).name()).isEqualTo("d1b");
        var pairs = FooterKeyValues.read(file, "f");
        assertThat(pairs)
                .containsOnlyKeys("own", "dataset-toolkit.unischema.v1", "dataset-toolkit.num_row_groups_per_file.v1");
        assertThat(new String(
                        pairs.get("dataset-toolkit.num_row_groups_per_file.v1").bytes(), StandardCharsets.UTF_8))
                .isEqualTo("{\"part-0.parquet\":1,\"part-1.parquet\":1}");
        var parsed = Util.readFileMetaData(new ByteArrayInputStream(file, 4, file.length));
        assertThat(parsed.getNum_rows()).isZero();
        assertThat(parsed.getRow_groups()).isEmpty();
        assertThat(parsed.getCreated_by()).isEqualTo("someone");
    }

    @Test
    void valuesThatAreNoTextAreReadAsTheyAre() throws IOException {
        // Parquet's own writer would spoil them: put where an ASCII value of the same length stood.
        byte[] file = file();
        int at = FooterKeyValues.read(file, "f").get("own").offset();
        byte[] raw = {(byte) 0x80, 4, (byte) 0x95, (byte) 0xFF, 0};
        System.arraycopy(raw, 0, file, at, raw.length);
        assertThat(FooterKeyValues.read(file, "f").get("own").bytes()).isEqualTo(raw);
    }

    @Test
    void damageIsNamedAndNeverAnythingElse() throws IOException {
        byte[] honest = file();
        long seed = 7;
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = honest.clone();
            for (int flips = random.nextInt(3); flips >= 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(CommonMetadata.unischema(bytes, "f").fields())
                        .as("seed %d, round %d", seed, i)
                        .isNotEmpty();
            } catch (CorruptDataException e) {
                assertThat(e.getMessage()).startsWith("f");
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(1000);
        assertThatThrownBy(() -> CommonMetadata.unischema(new byte[3], "f")).hasMessageContaining("too few");
    }

    @Test
    void aFooterWithoutAUnischemaSaysWhatToDo() throws IOException {
        byte[] footer = footer();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write("PAR1".getBytes(StandardCharsets.US_ASCII));
        out.write(footer);
        out.write(new byte[] {(byte) footer.length, (byte) (footer.length >> 8), 0, 0});
        out.write("PAR1".getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> CommonMetadata.unischema(out.toByteArray(), "f"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("read the folder as parquet");
    }

    @Test
    void column_unsupportedByPetastorm_isRefusedWithAdvice() {
        for (Field field : List.of(
                new Field("_hidden", DType.INT64, Shape.scalar(), false),
                new Field("class", DType.INT64, Shape.scalar(), false),
                new Field("x", DType.BFLOAT16, Shape.of(2), false))) {
            assertThatThrownBy(() -> PetastormTable.refuseUnfit(field))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(field.name());
        }
    }

    private static byte[] file() throws IOException {
        return CommonMetadata.of(
                PetastormTable.unischema("a-b", SCHEMA),
                footer(),
                new TreeSet<>(List.of("part-1.parquet", "part-0.parquet")));
    }

    private static byte[] footer() throws IOException {
        SchemaElement root = new SchemaElement("schema");
        root.setNum_children(1);
        SchemaElement id = new SchemaElement("id");
        id.setType(Type.INT64);
        FileMetaData metadata = new FileMetaData(1, List.of(root, id), 5, List.of());
        metadata.setCreated_by("someone");
        metadata.setKey_value_metadata(List.of(new KeyValue("own").setValue("value")));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Util.writeFileMetaData(metadata, out);
        return out.toByteArray();
    }
}
